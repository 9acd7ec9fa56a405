"""Light and colour: fitting light, the camera's tone curve, palettes."""
