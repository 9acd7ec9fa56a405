"""Printed digits: how much a picture resembles each of them, whatever its colour.

At first they are compared with digits drawn in several fonts and sizes, later with those the game itself
prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from vision.arrays import Singles

DIGITS = "123456789"
INSIDE_PX = 32
"""Edge of the pictures that digits are drawn for; a digit may lie some pixels off their middle."""
_WINDOW_WH = (24, 28)
# Heights of digits, as shares of the picture's.
_HEIGHTS = (0.45, 0.52, 0.6, 0.68, 0.76)
_FONTS = (("sans", 700), ("sans", 500), ("uni", 800), ("uni", 600))
# Digits that are hardly ever printed are read only if they are clearer by this much.
_RARE_DIGIT = 0.12


def likeness(inside: Singles, digits: Sequence[Singles], common: Sequence[int] = ()) -> Singles:
    """Return how much a gray picture looks like each of the digits, dark on light or light on dark, 0 to 1.

    If `common` numbers are given, all others must be clearer to be read.
    """
    found = np.array(
        [np.abs(cv2.matchTemplate(inside, digit, cv2.TM_CCOEFF_NORMED)).max() for digit in digits], np.float32
    )
    if common:
        rare = [index for index in range(len(digits)) if index + 1 not in common]
        found[rare] -= np.float32(_RARE_DIGIT)
    return found


def cut_digit(inside: Singles, digit: Singles) -> Singles:
    """Return the window inside a box that looks most like a digit, light on dark."""
    field = cv2.matchTemplate(inside, digit, cv2.TM_CCOEFF_NORMED)
    y, x = np.unravel_index(int(np.abs(field).argmax()), field.shape)
    window = inside[y : y + digit.shape[0], x : x + digit.shape[1]]
    return np.asarray(window * np.sign(field[y, x]), np.float32)


def even(picture: Singles) -> Singles:
    """Return a picture with mean 0 and deviation 1."""
    return np.asarray((picture - picture.mean()) / (picture.std() + 1e-6), np.float32)


@cache
def drawn_digits() -> list[list[Singles]]:
    """Return the digits in several fonts and sizes, light on dark, each as a window."""
    return [
        [_drawn_digit(digit, font, weight, height) for digit in DIGITS]
        for font, weight in _FONTS
        for height in _HEIGHTS
    ]


def _drawn_digit(digit: str, font: str, weight: int, height: float) -> Singles:
    canvas = np.zeros((160, 160, 3), np.uint8)
    cv2.putText(canvas, digit, (40, 120), (255, 255, 255), cv2.FontFace(font), 100, weight=weight)
    gray = canvas[..., 0]
    left, top, wide, high = cv2.boundingRect(np.asarray(gray > 128, np.uint8))
    glyph = gray[top : top + high, left : left + wide].astype(np.float32) / 255
    scale = high / (height * INSIDE_PX)
    soft = cv2.GaussianBlur(
        cv2.copyMakeBorder(glyph, 40, 40, 40, 40, cv2.BORDER_CONSTANT), (0, 0), 0.7 * scale
    )
    width, tall = _WINDOW_WH
    matrix = np.array(
        [
            [scale, 0, 40 + (wide - 1) / 2 - (width - 1) / 2 * scale],
            [0, scale, 40 + (high - 1) / 2 - (tall - 1) / 2 * scale],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    small = cv2.warpAffine(soft, matrix, (width, tall), flags=flags)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.9), np.float32)
