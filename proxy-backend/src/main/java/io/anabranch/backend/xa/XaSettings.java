package io.anabranch.backend.xa;

/**
 * How distributed transactions are named and timed. Times in milliseconds.
 *
 * @param cluster name, the same on all proxies that share the log; at most 16 letters, digits,
 *     {@code _}, {@code -}
 * @param node this proxy's name, likewise
 * @param recoveryInterval between two looks at the databases
 * @param nodeTimeout a proxy that has been silent for so long is taken for dead
 * @param answerTimeout a connection that does not answer a phase for so long is closed
 * @param logTimeout how long a COMMIT waits for the log
 * @param decisionRetention how long a decision stays in the log whose branches have not all told
 *     that they are committed
 */
public record XaSettings(
    String cluster,
    String node,
    long recoveryInterval,
    long nodeTimeout,
    long answerTimeout,
    long logTimeout,
    long decisionRetention) {}
