package io.anabranch.frontend.administration;

import static io.anabranch.frontend.administration.Form.Access.ADMIN;

import io.anabranch.frontend.administration.definition.Account;
import io.anabranch.frontend.administration.definition.AccountDefinition;
import io.anabranch.frontend.administration.definition.AccountStatement;
import io.anabranch.frontend.administration.definition.Clause;
import io.anabranch.frontend.administration.definition.ClauseParser;
import io.anabranch.frontend.administration.definition.ColumnDefinition;
import io.anabranch.frontend.administration.definition.GroupDefinition;
import io.anabranch.frontend.administration.definition.QueryRuleDefinition;
import io.anabranch.frontend.administration.definition.ShadowDefinition;
import io.anabranch.frontend.administration.definition.ShardingDefinition;
import io.anabranch.frontend.administration.definition.StorageUnitDefinition;
import io.anabranch.frontend.administration.definition.TableLists;
import io.anabranch.frontend.administration.rule.ShardedTableText;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.ConfigurationDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Statements that change the configuration in force; they are answered with OK. */
final class ChangeForms {

  private static final String UNLESS_THERE = "IF NOT EXISTS";
  private static final String IF_THERE = "IF EXISTS";

  /** A change of a file by what the statement says. */
  private interface Change
      extends BiFunction<ConfigurationDocument, Request, ConfigurationDocument> {}

  /** The same by the parts of a definition. */
  private interface Creation {
    ConfigurationDocument of(ConfigurationDocument document, List<Clause> parts, boolean isLenient);
  }

  /** The same by names. */
  private interface Removal {
    ConfigurationDocument of(ConfigurationDocument document, List<String> names, boolean isLenient);
  }

  private ChangeForms() {}

  static List<Form> storageUnits() {
    return List.of(
        create("REGISTER STORAGE UNIT", StorageUnitDefinition::register),
        alter("ALTER STORAGE UNIT", StorageUnitDefinition::alter),
        change(
            "UNREGISTER STORAGE UNIT [IF EXISTS] …",
            (document, request) -> {
              List<Clause> parts = parts(request, "IGNORE", "SINGLE", "TABLES");
              boolean ignores = request.endsWith("IGNORE", "SINGLE", "TABLES");
              return StorageUnitDefinition.unregister(
                  document, names(parts), request.has(IF_THERE), ignores);
            }));
  }

  static List<Form> sharding() {
    var forms = new ArrayList<Form>();
    forms.add(create("CREATE SHARDING TABLE RULE", ShardingDefinition::create));
    forms.add(alter("ALTER SHARDING TABLE RULE", ShardingDefinition::alter));
    forms.add(drop("DROP SHARDING TABLE RULE", ShardingDefinition::drop));
    for (String level : List.of("DATABASE", "TABLE")) {
      String subject = "DEFAULT SHARDING " + level + " STRATEGY";
      String key = level.toLowerCase(Locale.ROOT);
      forms.add(
          create(
              "CREATE " + subject,
              (document, parts, isLenient) ->
                  ShardingDefinition.standard(document, key, inner(parts), true, isLenient)));
      forms.add(
          alter(
              "ALTER " + subject,
              (document, parts) ->
                  ShardingDefinition.standard(document, key, inner(parts), false, false)));
      forms.add(
          change(
              "DROP " + subject + " [IF EXISTS]",
              (document, request) ->
                  ShardingDefinition.dropStandard(document, key, request.has(IF_THERE))));
    }
    forms.addAll(definitions("ALGORITHM", ShardedTableText.SHARDING_ALGORITHMS));
    forms.addAll(definitions("KEY GENERATOR", ShardedTableText.KEY_GENERATORS));
    forms.addAll(definitions("AUDITOR", ShardedTableText.AUDITORS));
    forms.add(
        create(
            "CREATE SHARDING TABLE REFERENCE RULE",
            (document, parts, isLenient) -> TableLists.bind(document, parts, true, isLenient)));
    forms.add(
        alter(
            "ALTER SHARDING TABLE REFERENCE RULE",
            (document, parts) -> TableLists.bind(document, parts, false, false)));
    forms.add(drop("DROP SHARDING TABLE REFERENCE RULE", TableLists::unbind));
    return forms;
  }

  static List<Form> otherRules() {
    return List.of(
        create(
            "CREATE BROADCAST TABLE RULE",
            (document, parts, isLenient) ->
                TableLists.createBroadcast(document, names(parts), isLenient)),
        drop("DROP BROADCAST TABLE RULE", TableLists::dropBroadcast),
        change(
            "LOAD SINGLE TABLE …",
            (document, request) -> TableLists.load(document, names(parts(request)))),
        change(
            "UNLOAD SINGLE TABLE …",
            (document, request) -> TableLists.unload(document, names(parts(request)))),
        change(
            "UNLOAD ALL SINGLE TABLES",
            (document, request) -> TableLists.unload(document, List.of("*"))),
        change(
            "SET DEFAULT SINGLE TABLE STORAGE UNIT = unit",
            (document, request) -> TableLists.defaultUnit(document, request.given("unit"))),
        create("CREATE READWRITE_SPLITTING RULE", GroupDefinition::create),
        alter("ALTER READWRITE_SPLITTING RULE", GroupDefinition::alter),
        drop("DROP READWRITE_SPLITTING RULE", GroupDefinition::drop));
  }

  static List<Form> features() {
    var forms = new ArrayList<Form>();
    for (ColumnDefinition kind : ColumnDefinition.values()) {
      String words = " " + kind.name() + " RULE";
      forms.add(create("CREATE" + words, kind::create));
      forms.add(alter("ALTER" + words, kind::alter));
      forms.add(drop("DROP" + words, kind::drop));
    }
    forms.add(create("CREATE SHADOW RULE", ShadowDefinition::create));
    forms.add(alter("ALTER SHADOW RULE", ShadowDefinition::alter));
    forms.add(
        create(
            "CREATE DEFAULT SHADOW ALGORITHM",
            (document, parts, isLenient) ->
                ShadowDefinition.standard(document, parts, true, isLenient)));
    forms.add(
        alter(
            "ALTER DEFAULT SHADOW ALGORITHM",
            (document, parts) -> ShadowDefinition.standard(document, parts, false, false)));
    forms.add(
        change(
            "DROP DEFAULT SHADOW ALGORITHM [" + IF_THERE + "]",
            (document, request) -> ShadowDefinition.dropStandard(document, request.has(IF_THERE))));
    forms.add(drop("DROP SHADOW ALGORITHM", ShadowDefinition::dropAlgorithms));
    forms.add(drop("DROP SHADOW RULE", ShadowDefinition::drop));
    return forms;
  }

  static List<Form> global() {
    return List.of(
        Form.change(
            "SET DIST VARIABLE name = value",
            ADMIN,
            List.of(),
            request -> {
              String key = GlobalListings.property(request.given("name"));
              request
                  .control()
                  .change(
                      all -> all.with(all.global().with(request.given("value"), "props", key)),
                      request.author());
              return List.of();
            }),
        ofAll(
            "CREATE QUERY RULE [" + UNLESS_THERE + "] …",
            (document, request) ->
                QueryRuleDefinition.create(document, parts(request), request.has(UNLESS_THERE))),
        ofAll(
            "ALTER QUERY RULE …",
            (document, request) -> QueryRuleDefinition.alter(document, parts(request))),
        ofAll(
            "DROP QUERY RULE [" + IF_THERE + "] …",
            (document, request) ->
                QueryRuleDefinition.drop(document, names(parts(request)), request.has(IF_THERE))));
  }

  /** A change of the file that is for all databases. */
  private static Form ofAll(String syntax, Change change) {
    return Form.change(
        syntax,
        ADMIN,
        List.of(),
        request -> {
          request
              .control()
              .change(all -> all.with(change.apply(all.global(), request)), request.author());
          return List.of();
        });
  }

  /** MySQL's statements on accounts, where these are the proxy's own. */
  static List<Form> accounts() {
    return Stream.of(
            "CREATE USER [" + UNLESS_THERE + "] …",
            "ALTER USER [" + IF_THERE + "] …",
            "DROP USER [" + IF_THERE + "] …",
            "SET PASSWORD …",
            "GRANT …",
            "REVOKE …")
        .map(syntax -> Form.change(syntax, ADMIN, List.of(), ChangeForms::account))
        .toList();
  }

  private static List<List<String>> account(Request request) {
    AccountStatement statement = request.accounts().read();
    if (statement instanceof AccountStatement.Removal removal
        && removal.accounts().contains(Account.of(request.session().user()))) {
      throw new ConfigurationRefusedException(
          List.of("who drops its own account may not come back; let another administrator do it"));
    }
    var notes = new ArrayList<List<String>>();
    request
        .control()
        .change(
            all -> {
              notes.clear();
              for (String account : AccountDefinition.passedOver(all.global(), statement)) {
                notes.add(passedOver(account, request));
              }
              return all.with(AccountDefinition.changed(all.global(), statement));
            },
            request.author());
    return notes;
  }

  /** What IF EXISTS or IF NOT EXISTS makes of the error, as the servers behind say it. */
  private static List<String> passedOver(String account, Request request) {
    boolean isThere = request.match().tokens().isWord(0, "CREATE");
    if (!request.session().deployment().isMariaDb()) {
      return isThere
          ? List.of("Note", "3163", "Authorization ID " + account + " already exists.")
          : List.of("Note", "3162", "Authorization ID " + account + " does not exist.");
    }
    return isThere
        ? List.of("Note", "1973", "Can't create user " + account + "; it already exists")
        : List.of("Note", "1974", "Can't drop user " + account + "; it doesn't exist");
  }

  // ---------------------------------------------------------------- how they are written

  private static Form create(String words, Creation creation) {
    return change(
        words + " [" + UNLESS_THERE + "] …",
        (document, request) -> creation.of(document, parts(request), request.has(UNLESS_THERE)));
  }

  private static Form alter(
      String words, BiFunction<ConfigurationDocument, List<Clause>, ConfigurationDocument> how) {
    return change(words + " …", (document, request) -> how.apply(document, parts(request)));
  }

  private static Form drop(String words, Removal removal) {
    return change(
        words + " [" + IF_THERE + "] …",
        (document, request) -> removal.of(document, names(parts(request)), request.has(IF_THERE)));
  }

  private static List<Form> definitions(String subject, String key) {
    String words = " SHARDING " + subject;
    return List.of(
        create(
            "CREATE" + words,
            (document, parts, isLenient) ->
                ShardingDefinition.createDefinitions(document, key, parts, isLenient)),
        alter(
            "ALTER" + words,
            (document, parts) -> ShardingDefinition.alterDefinitions(document, key, parts)),
        drop(
            "DROP" + words,
            (document, names, isLenient) ->
                ShardingDefinition.dropDefinitions(document, key, names, isLenient)));
  }

  private static Form change(String syntax, Change change) {
    return Form.change(
        syntax,
        ADMIN,
        List.of(),
        request -> {
          String name = request.database().name();
          request.control().change(all -> changed(all, name, change, request), request.author());
          return List.of();
        });
  }

  private static ConfigurationDocuments changed(
      ConfigurationDocuments all, String database, Change change, Request request) {
    ConfigurationDocument document = all.database(database);
    if (document == null) {
      throw new ConfigurationRefusedException(
          List.of("the database " + database + " is in no file: a client has created it"));
    }
    return all.with(change.apply(document, request));
  }

  // ---------------------------------------------------------------- what follows the words

  /**
   * @param end words that may stand behind the parts
   */
  private static List<Clause> parts(Request request, String... end) {
    Match match = request.match();
    int without = end.length > 0 && request.endsWith(end) ? end.length : 0;
    return ClauseParser.parse(
        match.tokens(), match.mode(), match.rest(), match.tokens().size() - without);
  }

  private static List<String> names(List<Clause> parts) {
    for (Clause part : parts) {
      if (part.value() != null || !part.parts().isEmpty()) {
        throw new ConfigurationRefusedException(
            List.of("`" + part.name() + "` is to be a name alone here"));
      }
    }
    return parts.stream().map(Clause::name).toList();
  }

  /** What stands in the parentheses that are all. */
  private static List<Clause> inner(List<Clause> parts) {
    return parts.size() == 1 && parts.getFirst().name().isEmpty()
        ? parts.getFirst().parts()
        : parts;
  }
}
