"""The truth of a simulated table, piece by piece, in the form that sets of sample photographs have it."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.simulation.free_camera import FreeCamera, LaidTable
from vision.simulation.scenery import HandPose


def pieces_truth(
    camera: FreeCamera, table: LaidTable, *, hand_pose: HandPose | None = None
) -> list[dict[str, Any]]:
    """Return what lies where and how much of it is seen, the flat pieces first, the lowest of them first.

    Each has key, id (a face or a paint), place, shape, up, pose (mm, degrees anticlockwise), z and top; flat
    ones size_mm, corners_px (from the printed upper left corner, clockwise) and visible (0 to 1), others
    base_px and top_px.
    """
    shares = camera.visible_shares(table, hand_pose=hand_pose)
    found: list[dict[str, Any]] = []
    for one in table.flat:
        found.append(
            {
                "key": one.key,
                "id": one.face.name,
                "place": one.place,
                "shape": "disc-board" if one.is_round else "flat",
                "up": not one.face.is_back,
                "pose": _pose(one.x_mm, one.y_mm, one.turn_deg),
                "z": one.lowest_mm,
                "top": one.top_mm,
                "size_mm": [one.width_mm, one.height_mm],
                "corners_px": camera.corners_px(one).round(2).tolist(),
                "visible": shares[one.key],
            }
        )
    for each in table.solid:
        high = each.lowest_mm + each.height_mm
        at = np.array([[each.x_mm, each.y_mm, each.lowest_mm], [each.x_mm, each.y_mm, high]])
        base, top = np.asarray(camera.studio.pose.project(at)).round(2).tolist()
        found.append(
            {
                "key": each.key,
                "id": each.name,
                "place": each.place,
                "shape": each.shape,
                "up": True,
                "pose": _pose(each.x_mm, each.y_mm, each.turn_deg),
                "z": each.lowest_mm,
                "top": high,
                "base_px": base,
                "top_px": top,
            }
        )
    return found


def _pose(x_mm: float, y_mm: float, turn_deg: float) -> dict[str, float]:
    return {"x": round(x_mm, 2), "y": round(y_mm, 2), "rot": round(turn_deg, 2)}
