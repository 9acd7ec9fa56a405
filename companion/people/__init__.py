"""The people who play: what they are called, who sat where, and nothing else about them."""
