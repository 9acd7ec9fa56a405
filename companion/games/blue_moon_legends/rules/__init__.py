"""Actions carried out, and all that follows from them."""
