"""Small trained models: their weights, a card for each, and running them by OpenCV alone."""
