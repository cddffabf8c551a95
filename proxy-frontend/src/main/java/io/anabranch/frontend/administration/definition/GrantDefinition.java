package io.anabranch.frontend.administration.definition;

import io.anabranch.frontend.administration.definition.AccountStatement.Level;
import io.anabranch.frontend.administration.definition.AccountStatement.Rights;
import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.right.Grant;
import io.anabranch.rules.right.GrantSyntaxException;
import io.anabranch.rules.right.GrantText;
import io.anabranch.rules.right.Privilege;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** {@code grants} of accounts, changed by GRANT and REVOKE. */
final class GrantDefinition {

  private static final String GRANTS = "grants";

  private GrantDefinition() {}

  static ConfigurationDocument changed(ConfigurationDocument document, Rights rights) {
    ConfigurationDocument changed = document;
    for (Account account : rights.accounts()) {
      Mapping entry = AccountDefinition.entry(changed, account);
      if (entry == null) {
        throw AccountDefinition.failed(rights.gives() ? "GRANT" : "REVOKE", account);
      }
      if (entry.shown("admin").equalsIgnoreCase("true")) {
        throw Clause.refused(account + " has all rights, by `admin: true`");
      }
      changed = changed(changed, rights, account, entry);
    }
    return changed;
  }

  private static ConfigurationDocument changed(
      ConfigurationDocument document, Rights rights, Account account, Mapping entry) {
    String[] place = AccountDefinition.place(document, entry, GRANTS);
    Level level = rights.level();
    if (level == null) {
      // an empty list is not the same as none: without one all is permitted
      return document.with(new Listing("", List.of()), place);
    }
    if (rights.privileges().isEmpty()) {
      return document;
    }
    if (!entry.has(GRANTS)) {
      throw Clause.refused(
          account
              + " has no grants of its own, but all rights in the databases that `privilege`"
              + " permits; REVOKE ALL PRIVILEGES, GRANT OPTION FROM it first");
    }
    if (level.database().equals(Grant.ANY) && !level.table().equals(Grant.ANY)) {
      throw Clause.refused("a table of all databases: write *.*, or name the database");
    }
    List<String> former = entry.texts(GRANTS);
    Set<Privilege> there = EnumSet.noneOf(Privilege.class);
    var others = new ArrayList<String>();
    for (String text : former) {
      Grant grant = parsed(text);
      if (isOn(grant, level)) {
        there.addAll(grant.privileges());
      } else {
        others.add(text);
      }
    }
    Set<Privilege> wanted = EnumSet.noneOf(Privilege.class);
    wanted.addAll(there);
    if (rights.gives()) {
      wanted.addAll(rights.privileges());
    } else if (!wanted.removeAll(rights.privileges())) {
      throw level.table().equals(Grant.ANY)
          ? ErrorCatalogue.NO_SUCH_GRANT.refuse(account.name(), account.host())
          : ErrorCatalogue.NO_SUCH_TABLE_GRANT.refuse(
              account.name(), account.host(), level.table());
    }
    if (wanted.equals(there)) {
      return document;
    }
    if (!wanted.isEmpty()) {
      others.add(new Grant(wanted, level.database(), level.table()).toString());
    }
    return others.isEmpty()
        ? document.with(new Listing("", List.of()), place)
        : document.withList(others, place);
  }

  private static boolean isOn(Grant grant, Level level) {
    return grant.database().equalsIgnoreCase(level.database())
        && grant.table().equals(level.table());
  }

  /** The file is in force, so it is in order. */
  private static Grant parsed(String text) {
    try {
      return GrantText.parse(text);
    } catch (GrantSyntaxException e) {
      throw new IllegalStateException("a grant that was read before", e);
    }
  }
}
