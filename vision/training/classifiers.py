"""Fitting the classifiers: small dense networks that weigh what the networks say with what is measured.

A classifier must learn from tables that the networks did not learn from: on their own these are surer than
they are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from vision.arrays import Bools, Floats, Singles
from vision.training.fit import to_onnx

_HIDDEN, _CHOICE_HIDDEN = 48, 32
_BATCH, _RATE, _DECAY = 512, 2e-3, 1e-3
_CHOICE_BATCH, _CHOICE_DECAY = 256, 1e-2
# The score of what cannot be chosen.
_NEVER = -1e4
# Measured values are off by so much of their spread each time they are seen.
_NOISE = 0.05
# What hardly ever differs is not blown up.
_LEAST_SPREAD = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifier:
    """A fitted classifier.

    Attributes:
        network: dense layers; values are taken as they were measured.
    """

    network: nn.Sequential

    @property
    def inputs(self) -> int:
        """How many values it takes."""
        first = self.network[0]
        assert isinstance(first, nn.Linear)
        return int(first.in_features)

    def scores(self, values: Singles) -> Singles:
        """Return the scores of rows of values (N, inputs), (N, classes)."""
        with torch.no_grad():
            return np.asarray(self.network(torch.from_numpy(values.astype(np.float32))).numpy(), np.float32)

    def onnx(self) -> bytes:
        """Return it as the bytes of an ONNX file."""
        last = self.network[-1]
        assert isinstance(last, nn.Linear)
        return to_onnx(self.network, (self.inputs,), last.out_features)


def fit_classifier(values: Singles, truth: Floats, classes: int, *, epochs: int, seed: int = 0) -> Classifier:
    """Return a classifier fitted to rows of values (N, inputs) and class numbers (N,)."""
    torch.manual_seed(seed)
    dice = np.random.default_rng(seed)
    mean, spread = _scale(values)
    rows = torch.from_numpy(((values - mean) / spread).astype(np.float32))
    wanted = torch.from_numpy(truth.astype(np.int64))
    network = _dense(values.shape[1], classes)
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = max(1, epochs * -(-len(rows) // _BATCH))
    planned = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps)
    loss_of = nn.CrossEntropyLoss()
    for _ in range(epochs):
        order = dice.permutation(len(rows))
        for start in range(0, len(order), _BATCH):
            picked = torch.from_numpy(order[start : start + _BATCH])
            seen = rows[picked]
            loss = loss_of(network(seen + _NOISE * torch.randn_like(seen)), wanted[picked])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            planned.step()
    return Classifier(network=_unscaled(network, mean, spread).eval())


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Lists to choose from, for a classifier of rows and one of what speaks for none of a list.

    Attributes:
        values: (N, places, inputs) of the rows; of each list the first `counts` (N,) are used.
        groups: (N, places): of each row the first one that says the same.
        common: (N, other inputs) of the lists.
        truth: (N,): the first row of those that are right, or `places` and more for the classes of none.
    """

    values: Singles
    counts: Floats
    groups: Floats
    common: Singles
    truth: Floats

    def picked(self, which: Bools) -> Choices:
        """Return some of the lists."""
        return Choices(
            values=self.values[which],
            counts=self.counts[which],
            groups=self.groups[which],
            common=self.common[which],
            truth=self.truth[which],
        )

    @property
    def is_row(self) -> Bools:
        """Which rows are used, (N, places)."""
        return np.asarray(np.arange(self.values.shape[1])[None] < self.counts[:, None], np.bool_)

    @property
    def is_same(self) -> Bools:
        """Which rows a row stands for, (N, places, places): the first of those that say the same for all."""
        firsts = np.arange(self.values.shape[1])[None, :, None]
        return np.asarray((self.groups[:, None] == firsts) & self.is_row[:, None], np.bool_)


def choice_scores(rows: Classifier, none: Classifier, choices: Choices) -> Singles:
    """Return the scores of lists, (N, places + classes of none).

    What several rows say has the score of all together, at the first of them; all other rows hardly have any.
    """
    count, places, inputs = choices.values.shape
    own = rows.scores(choices.values.reshape(-1, inputs))[:, 0].reshape(count, places)
    said = _together(torch.from_numpy(own), torch.from_numpy(choices.is_same)).numpy()
    return np.concatenate([said, none.scores(choices.common)], axis=1)


def _together(own: torch.Tensor, same: torch.Tensor) -> torch.Tensor:
    """Return the scores (N, places) of what rows say, of each row's `own` and what is the `same`."""
    return own[:, None].masked_fill(~same, _NEVER).logsumexp(dim=2)


def fit_choices(
    choices: Choices, others: int, *, epochs: int, seed: int = 0, times: int = 1
) -> tuple[Classifier, Classifier]:
    """Return what scores rows, and what scores the `others`, the classes of none, fitted together.

    They are fitted so many `times`, and the mean of their scores counts: each errs in its own way.
    """
    fitted = [_fit_choices(choices, others, epochs, seed + number) for number in range(times)]
    rows, none = zip(*fitted, strict=True)
    return Classifier(network=joined(rows).eval()), Classifier(network=joined(none).eval())


def _fit_choices(
    choices: Choices, others: int, epochs: int, seed: int
) -> tuple[nn.Sequential, nn.Sequential]:
    torch.manual_seed(seed)
    dice = np.random.default_rng(seed)
    rows = choices.values[choices.is_row]
    scales = [_scale(rows), _scale(choices.common)]
    values, common = (
        torch.from_numpy(((some - mean) / spread).astype(np.float32))
        for some, (mean, spread) in zip((choices.values, choices.common), scales, strict=True)
    )
    same, wanted = torch.from_numpy(choices.is_same), torch.from_numpy(choices.truth.astype(np.int64))
    first, second = (
        _dense(inputs, classes, _CHOICE_HIDDEN)
        for inputs, classes in ((values.shape[2], 1), (common.shape[1], others))
    )
    weights = [*first.parameters(), *second.parameters()]
    optimizer = torch.optim.AdamW(weights, lr=_RATE, weight_decay=_CHOICE_DECAY)
    steps = max(1, epochs * -(-len(values) // _CHOICE_BATCH))
    planned = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps)
    loss_of = nn.CrossEntropyLoss()
    for _ in range(epochs):
        order = dice.permutation(len(values))
        for start in range(0, len(order), _CHOICE_BATCH):
            picked = torch.from_numpy(order[start : start + _CHOICE_BATCH])
            some, whole = (one[picked] for one in (values, common))
            own = first(some + _NOISE * torch.randn_like(some))[..., 0]
            none = second(whole + _NOISE * torch.randn_like(whole))
            told = torch.cat([_together(own, same[picked]), none], dim=1)
            loss = loss_of(told, wanted[picked])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            planned.step()
    return _unscaled(first, *scales[0]), _unscaled(second, *scales[1])


def joined(networks: Sequence[nn.Sequential]) -> nn.Sequential:
    """Return one dense network whose scores are the means of those of several, all of one shape."""
    first, *inner, last = zip(*map(_linear_layers, networks), strict=True)
    # All see the values; behind that each sees its own layer alone, and of the scores the mean counts.
    layers = [_layer(torch.cat([one.weight for one in first]), torch.cat([one.bias for one in first]))]
    layers += [
        _layer(_apart([one.weight for one in same]), torch.cat([one.bias for one in same])) for same in inner
    ]
    weight = torch.cat([one.weight for one in last], dim=1) / len(last)
    scores = _layer(weight, torch.stack([one.bias for one in last]).mean(dim=0))
    return nn.Sequential(*(part for layer in layers for part in (layer, nn.ReLU())), scores)


def _linear_layers(network: nn.Sequential) -> list[nn.Linear]:
    return [one for one in network if isinstance(one, nn.Linear)]


def _layer(weight: torch.Tensor, bias: torch.Tensor) -> nn.Linear:
    """Return a layer with these weights (outputs, inputs)."""
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    return layer


def _apart(weights: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the weights of layers side by side of which none sees another's values."""
    rows, columns = (np.cumsum([0, *(one.shape[axis] for one in weights)]) for axis in (0, 1))
    found = torch.zeros(int(rows[-1]), int(columns[-1]))
    for number, one in enumerate(weights):
        found[rows[number] : rows[number + 1], columns[number] : columns[number + 1]] = one
    return found


def _scale(values: Singles) -> tuple[Singles, Singles]:
    """Return the mean of rows of values, and their spread."""
    return values.mean(axis=0), np.maximum(values.std(axis=0), _LEAST_SPREAD)


def _dense(inputs: int, classes: int, hidden: int = _HIDDEN) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, hidden),
        nn.ReLU(),
        nn.Linear(hidden, hidden),
        nn.ReLU(),
        nn.Linear(hidden, classes),
    )


def _unscaled(network: nn.Sequential, mean: Singles, spread: Singles) -> nn.Sequential:
    """Return a network for scaled values made into one for values as they are measured."""
    first = network[0]
    assert isinstance(first, nn.Linear)
    with torch.no_grad():
        weight = first.weight / torch.from_numpy(spread.astype(np.float32))
        first.bias.copy_(first.bias - weight @ torch.from_numpy(mean.astype(np.float32)))
        first.weight.copy_(weight)
    return network
