package io.anabranch.ldap;

import io.anabranch.rules.account.AccountStore;
import io.anabranch.rules.account.AccountStoreProvider;
import java.util.Map;

/** {@code type: LDAP}. */
public final class LdapAccountStoreProvider implements AccountStoreProvider {

  @Override
  public String type() {
    return "LDAP";
  }

  @Override
  public AccountStore create(Map<String, String> properties) {
    return new LdapAccountStore(LdapSettings.of(properties));
  }
}
