"""Getting pictures: sources, the motion gate, the image pyramid, recording."""
