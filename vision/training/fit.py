"""Fitting a small convolutional network to patches, and writing it down for OpenCV.

PyTorch is needed here alone (extra `train`); what is written is plain ONNX with explicit pads, since OpenCV
5.0 silently miscomputes automatic ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn.utils import convert_conv2d_weight_memory_format
from torch.nn.utils.fusion import fuse_conv_bn_eval

from vision.arrays import Bools, Floats, Patches, Singles
from vision.models.network import compared
from vision.training.augmentation import augmented, hazed

DEVICE: Final = torch.device("cuda" if torch.cuda.is_available() else "cpu")
"""What networks are fitted on."""
_HAS_SHORT_FLOATS: Final = DEVICE.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
_OPSET = 13
_IR_VERSION = 8
# So many batches are made ready ahead.
_AHEAD = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkShape:
    """A network: convolutions of 3 x 3, each halving its picture but the first, then two dense layers.

    Between a convolution and what it excites values are normalised (batch normalisation, Ioffe and Szegedy
    2015); what is written for OpenCV has that in the weights.

    Nothing is averaged over the picture: where in a patch something stands decides whose it is.

    Attributes:
        channels, size_px: of the square patches.
        coloured: the first channels of the pictures in three colours: these and only these are compared (see
            `compared`), and are seen a little otherwise each time when it learns (see `augmentation`).
        widths: channels of the convolutions.
        hidden: units between convolutions and scores.
        classes: how many scores.
    """

    channels: int
    size_px: int
    coloured: tuple[int, ...]
    widths: tuple[int, ...]
    hidden: int
    classes: int

    @property
    def inputs(self) -> int:
        """How many channels the first convolution sees."""
        return self.channels + max(len(self.coloured) - 1, 0)

    @property
    def ways(self) -> tuple[int, int, int]:
        """Shape of what the first convolution sees."""
        return self.inputs, self.size_px, self.size_px

    def build(self) -> nn.Sequential:
        """Return the network with fresh weights (seed torch before)."""
        layers: list[nn.Module] = []
        before, size = self.inputs, self.size_px
        for i, width in enumerate(self.widths):
            layers.append(nn.Conv2d(before, width, 3, stride=1 if i == 0 else 2, padding=1))
            layers += [nn.BatchNorm2d(width), nn.ReLU()]
            before = width
            size = size if i == 0 else -(-size // 2)
        layers += [nn.Flatten(), nn.Linear(before * size**2, self.hidden), nn.ReLU()]
        layers.append(nn.Linear(self.hidden, self.classes))
        return nn.Sequential(*layers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Haze:
    """That a mirrored lamp lays its haze over samples.

    Attributes:
        share: of the patches, each time over others.
        lost: the class of what it burns out.
    """

    share: float
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """What is learnt from.

    Attributes:
        patches: (N, channels, size, size), 0 to 255.
        truth: class numbers, (N,).
        is_used: which are learnt from, (N,); patches fill the memory, so others are not cut out first.
        haze: what lamps lay over them, None for nothing.
    """

    patches: Patches
    truth: Floats
    is_used: Bools
    haze: Haze | None = None

    def __len__(self) -> int:
        return int(np.count_nonzero(self.is_used))


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How long and how fast is learnt.

    Attributes:
        epochs: times through all samples.
        batch: samples a step.
        rate: highest learning rate; it rises and falls once (one cycle, Smith 2018).
        decay: weight decay.
        seed: of weights and order.
    """

    epochs: int = 12
    batch: int = 256
    rate: float = 3e-3
    decay: float = 1e-3
    seed: int = 0


def fit(
    shape: NetworkShape,
    samples: Samples,
    schedule: Schedule,
    report: Callable[[int, float], None] = lambda _epoch, _loss: None,
) -> nn.Sequential:
    """Return a network fitted to samples; the same seed on the same machine gives the same network.

    Args:
        shape: of the network.
        samples: what is learnt from.
        schedule: how.
        report: told the epoch and its mean loss.
    """
    torch.manual_seed(schedule.seed)
    # Channels last and short floats: twice to three times as fast on processors that have them.
    network = shape.build().to(DEVICE)
    convert_conv2d_weight_memory_format(network, torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=schedule.rate, weight_decay=schedule.decay)
    steps = max(1, schedule.epochs * -(-len(samples) // schedule.batch))
    planned = torch.optim.lr_scheduler.OneCycleLR(optimizer, schedule.rate, total_steps=steps)
    loss_of = nn.CrossEntropyLoss()
    network.train()
    for epoch in range(schedule.epochs):
        total = 0.0
        for seen, truth in _batches(shape, samples, schedule, epoch):
            shown = seen.to(DEVICE).contiguous(memory_format=torch.channels_last)
            with torch.autocast(DEVICE.type, torch.bfloat16, enabled=_HAS_SHORT_FLOATS):
                scores = network(shown)
            loss = loss_of(scores.float(), truth.to(DEVICE))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            planned.step()
            total += float(loss.detach()) * len(truth)
        report(epoch, total / max(len(samples), 1))
    return network.eval()


def _batches(
    shape: NetworkShape, samples: Samples, schedule: Schedule, epoch: int
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Yield all samples once in any order: what the network sees of them this time, and the truth of that.

    What is next is made ready while the network learns.
    """
    order = np.random.default_rng((schedule.seed, epoch)).permutation(np.flatnonzero(samples.is_used))
    starts = range(0, len(order), schedule.batch)

    def seen(start: int) -> tuple[torch.Tensor, torch.Tensor]:
        # In the order in which they are kept, which is quicker to read.
        picked = np.sort(order[start : start + schedule.batch])
        patches, truth = samples.patches[picked], samples.truth[picked].astype(np.int64)
        dice = np.random.default_rng((schedule.seed, epoch, start))
        if samples.haze is not None:
            patches, is_lost = hazed(patches, samples.haze.share, dice)
            truth[is_lost] = samples.haze.lost
        if shape.coloured:
            patches = augmented(patches, shape.coloured, dice)
        return torch.from_numpy(compared(patches, shape.coloured)), torch.from_numpy(truth)

    with ThreadPoolExecutor(_AHEAD) as pool:
        waiting = deque(pool.submit(seen, start) for start in starts[:_AHEAD])
        for start in starts[_AHEAD:]:
            yield waiting.popleft().result()
            waiting.append(pool.submit(seen, start))
        while waiting:
            yield waiting.popleft().result()


def scores(
    network: nn.Sequential, patches: Patches, coloured: Sequence[int] = (), batch: int = 1024
) -> Singles:
    """Return the scores of patches (N, channels, size, size) of 0 to 255, (N, classes)."""
    with torch.no_grad():
        parts = [
            network(_inputs(patches[start : start + batch], coloured)).cpu().numpy()
            for start in range(0, len(patches), batch)
        ]
    return np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)


def _inputs(patches: Patches, coloured: Sequence[int]) -> torch.Tensor:
    return torch.from_numpy(compared(patches, coloured)).to(DEVICE)


def to_onnx(network: nn.Sequential, inputs: Sequence[int], classes: int) -> bytes:
    """Return a fitted network as the bytes of an ONNX file that `cv2.dnn` computes exactly.

    Args:
        network: what was fitted.
        inputs: shape of one thing that it judges.
        classes: how many scores it gives.
    """
    nodes: list[onnx.NodeProto] = []
    stored: list[onnx.TensorProto] = []
    name = "patches"
    for i, layer in enumerate(_folded(network)):
        after = f"layer{i}"
        nodes.append(_node(layer, i, name, after, stored))
        name = after
    graph = helper.make_graph(
        nodes,
        "patches",
        [helper.make_tensor_value_info("patches", TensorProto.FLOAT, ("N", *inputs))],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ("N", classes))],
        stored,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = _IR_VERSION
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _folded(network: nn.Sequential) -> list[nn.Module]:
    """Return the layers of a network with what normalises in the weights of the convolution before it."""
    layers: list[nn.Module] = []
    for layer in network:
        if isinstance(layer, nn.BatchNorm2d):
            before = layers.pop()
            assert isinstance(before, nn.Conv2d)
            layers.append(fuse_conv_bn_eval(before, layer))
        else:
            layers.append(layer)
    return layers


def _node(
    layer: nn.Module, number: int, before: str, after: str, stored: list[onnx.TensorProto]
) -> onnx.NodeProto:
    """Return one layer as an ONNX node; what it has learnt goes to `stored`."""
    if isinstance(layer, nn.Conv2d | nn.Linear):
        names = [f"w{number}", f"b{number}"]
        assert layer.bias is not None
        for label, values in zip(names, (layer.weight, layer.bias), strict=True):
            stored.append(numpy_helper.from_array(values.detach().cpu().numpy().astype(np.float32), label))
        if isinstance(layer, nn.Linear):
            return helper.make_node("Gemm", [before, *names], [after], transB=1)
        pads: Sequence[int] = [1, 1, 1, 1]
        return helper.make_node(
            "Conv", [before, *names], [after], kernel_shape=[3, 3], pads=pads, strides=list(layer.stride)
        )
    if isinstance(layer, nn.ReLU):
        return helper.make_node("Relu", [before], [after])
    if isinstance(layer, nn.Flatten):
        return helper.make_node("Flatten", [before], [after], axis=1)
    raise TypeError(f"a {type(layer).__name__} cannot be written")
