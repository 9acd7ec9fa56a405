"""The wire protocol: frames, messages, slots, the host's end of the line. Pure."""
