package io.anabranch.rules.algorithm;

/** What a configuration names under {@code shardingAlgorithms}: one kind per kind of strategy. */
public sealed interface PlacementAlgorithm
    permits ShardingAlgorithm, ComplexShardingAlgorithm, HintShardingAlgorithm {}
