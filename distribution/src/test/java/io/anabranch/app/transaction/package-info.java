/**
 * Transactions over one and several data sources: answers, errors, deadlocks, XA, and money that
 * must not be lost when links and processes break. Start with {@code TransactionsIT}, for the type
 * XA with {@code XaIT}; {@code BankIT} is the one with faults.
 */
@NullMarked
package io.anabranch.app.transaction;

import org.jspecify.annotations.NullMarked;
