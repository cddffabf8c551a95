package io.anabranch.rules.model.protection;

/**
 * When a data source that fails or is slow is given a rest. Times in milliseconds.
 *
 * @param errorPercent so many in a hundred answers are errors of the server: 1 to 100
 * @param slowMilliseconds an answer whose first byte takes so long is slow; 0: none is
 * @param slowPercent so many in a hundred answers are slow: 1 to 100
 * @param statements fewer answers in a window decide nothing
 * @param windowMilliseconds how long answers are counted together
 * @param openMilliseconds how long the rest takes
 * @param trials connections given out then, whose answers decide whether the rest is over
 */
public record BreakerSettings(
    int errorPercent,
    long slowMilliseconds,
    int slowPercent,
    int statements,
    long windowMilliseconds,
    long openMilliseconds,
    int trials) {}
