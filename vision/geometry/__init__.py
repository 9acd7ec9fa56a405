"""Where things are in a picture: fiducials, straightened planes, regions of interest, occlusion."""
