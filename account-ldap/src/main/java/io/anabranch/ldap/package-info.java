/**
 * Accounts of an LDAP directory: {@link io.anabranch.ldap.LdapAccountStore} asks it, {@link
 * io.anabranch.ldap.LdapSettings} is what {@code props} say.
 *
 * <p>A plug-in: of the house it imports what {@code anabranch-spi} has, and nothing else. Asked on
 * threads of the account store's, which it blocks.
 */
@NullMarked
package io.anabranch.ldap;

import org.jspecify.annotations.NullMarked;
