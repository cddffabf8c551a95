/**
 * Accounts that are kept elsewhere, in a directory say: {@link
 * io.anabranch.rules.account.AccountStore} is the extension point, {@link
 * io.anabranch.rules.account.AccountStores} has the types that configurations name, {@link
 * io.anabranch.rules.account.StoredAccounts} is what {@code authority.accountStore} says.
 *
 * <p>Imports {@code rules.algorithm.plugin} and {@code rules.error}. Stores are asked on threads of
 * their own, never on event loops.
 */
@NullMarked
package io.anabranch.rules.account;

import org.jspecify.annotations.NullMarked;
