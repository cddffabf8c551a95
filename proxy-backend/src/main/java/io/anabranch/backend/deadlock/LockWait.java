package io.anabranch.backend.deadlock;

/**
 * One transaction of a database waits for another's row lock.
 *
 * @param waiter number of the waiting connection on its server
 * @param blocker number of the connection whose transaction has the lock
 * @param lock what is waited for, and by which transactions: the same text is the same wait
 */
record LockWait(long waiter, long blocker, String lock) {}
