"""Pictures into the house: sources, the motion gate, small pictures of frames, recording."""
