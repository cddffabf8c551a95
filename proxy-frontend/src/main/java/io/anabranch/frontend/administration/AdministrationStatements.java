package io.anabranch.frontend.administration;

import static io.anabranch.frontend.administration.Form.Access.ADMIN;
import static io.anabranch.frontend.administration.Form.Access.DATABASE;

import io.anabranch.frontend.administration.rule.ShardedTableText;
import io.anabranch.rules.config.AlgorithmKind;
import io.anabranch.rules.config.document.DocumentExport;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All statements of administration. What is not here is none: what unknown ones may have meant, and
 * the list in the documentation, are taken from here.
 */
public final class AdministrationStatements {

  private static final List<ResultColumn> SYNTAX = Columns.of("statement", "rights");

  private static final List<Form> ACCOUNTS = ChangeForms.accounts();
  private static final List<Form> DATABASES = LogicalDatabases.forms();
  private static final List<Form> FORMS = forms();
  private static final Map<String, List<Form>> BY_FIRST_WORD = byFirstWord();

  private AdministrationStatements() {}

  /** All of them, by subject. */
  public static List<Form> all() {
    return FORMS;
  }

  /** Those that begin with a word. */
  static List<Form> beginningWith(String word) {
    return BY_FIRST_WORD.getOrDefault(word.toUpperCase(Locale.ROOT), List.of());
  }

  /** Null if it is none of them. */
  static @Nullable Found find(SqlTokens tokens, LexerMode mode) {
    for (Form form : beginningWith(tokens.text(0))) {
      Match match = form.pattern().match(tokens, mode);
      if (match != null) {
        return new Found(form, match);
      }
    }
    return null;
  }

  /** Whether it is of those on accounts, which databases have, too. */
  static boolean isOfAccounts(Form form) {
    return ACCOUNTS.contains(form);
  }

  /** Whether it is of those on whole databases, which servers have, too. */
  static boolean isOfDatabases(Form form) {
    return DATABASES.contains(form);
  }

  /** Whether servers have it, too: they commit in front of it. */
  static boolean isOfServersToo(Form form) {
    return isOfAccounts(form) || isOfDatabases(form);
  }

  /** A statement of a known form. */
  record Found(Form form, Match match) {}

  private static Map<String, List<Form>> byFirstWord() {
    var found = new HashMap<String, List<Form>>();
    for (Form form : FORMS) {
      String lead = form.pattern().lead();
      int blank = lead.indexOf(' ');
      found
          .computeIfAbsent(blank < 0 ? lead : lead.substring(0, blank), _ -> new ArrayList<>())
          .add(form);
    }
    return found;
  }

  private static List<Form> forms() {
    var forms = new ArrayList<Form>();
    forms.addAll(configuration());
    forms.addAll(DATABASES);
    forms.addAll(storageUnits());
    forms.addAll(ChangeForms.storageUnits());
    forms.addAll(sharding());
    forms.addAll(ChangeForms.sharding());
    forms.addAll(otherRules());
    forms.addAll(ChangeForms.otherRules());
    forms.addAll(features());
    forms.addAll(ChangeForms.features());
    forms.addAll(plugins());
    forms.addAll(global());
    forms.addAll(ChangeForms.global());
    forms.addAll(ACCOUNTS);
    return List.copyOf(forms);
  }

  private static List<Form> configuration() {
    List<ResultColumn> changes = GlobalListings.CHANGES;
    return List.of(
        Form.change(
            "RELOAD CONFIGURATION",
            ADMIN,
            changes,
            request -> GlobalListings.lines(request.control().reload(request.author()))),
        Form.change(
            "ROLLBACK CONFIGURATION",
            ADMIN,
            changes,
            request -> GlobalListings.lines(request.control().rollback(request.author()))),
        Form.change(
            "SAVE CONFIGURATION",
            ADMIN,
            GlobalListings.FILES,
            request -> GlobalListings.lines(request.control().save())),
        Form.listing(
            "EXPORT DATABASE CONFIGURATION [FROM database]",
            ADMIN,
            GlobalListings.EXPORT,
            request -> List.of(List.of(DocumentExport.of(request.document())))),
        Form.change(
            "IMPORT DATABASE CONFIGURATION FROM FILE [=] path",
            ADMIN,
            List.of(),
            GivenFiles::imported),
        Form.listing(
            "CONVERT YAML CONFIGURATION FROM FILE [=] path",
            ADMIN,
            GlobalListings.CONVERSION,
            GivenFiles::converted),
        Form.listing(
            "SHOW CONFIGURATION DIFF",
            ADMIN,
            changes,
            request -> GlobalListings.lines(request.control().difference())),
        Form.listing(
            "SHOW CONFIGURATION HISTORY", ADMIN, GlobalListings.VERSIONS, GlobalListings::history));
  }

  private static List<Form> storageUnits() {
    return List.of(
        Form.listing(
            "SHOW STORAGE UNITS [WHERE USAGE_COUNT = n] [FROM database]",
            ADMIN,
            DatabaseListings.STORAGE_UNITS,
            DatabaseListings::storageUnits),
        Form.listing(
            "SHOW RULES USED STORAGE UNIT unit [FROM database]",
            DATABASE,
            ShardingListings.USERS,
            GrantedRows.of(DatabaseListings::usage, 1)));
  }

  private static List<Form> sharding() {
    var forms = new ArrayList<Form>();
    forms.add(
        ofTables("SHARDING TABLE RULES", ShardingListings.TABLES, 0, ShardingListings::tables));
    forms.add(
        ofTables(
            "SHARDING TABLE RULE table", ShardingListings.TABLES, 0, ShardingListings::tables));
    forms.add(
        ofTables(
            "SHARDING TABLE NODES [table]", ShardingListings.NODES, 0, ShardingListings::nodes));
    forms.addAll(definitions("ALGORITHM", "ALGORITHMS", ShardedTableText.SHARDING_ALGORITHMS));
    forms.addAll(definitions("KEY GENERATOR", "KEY GENERATORS", ShardedTableText.KEY_GENERATORS));
    forms.addAll(definitions("AUDITOR", "AUDITORS", ShardedTableText.AUDITORS));
    forms.add(
        rule("DEFAULT SHARDING STRATEGY", ShardingListings.DEFAULTS, ShardingListings::defaults));
    forms.add(
        ofTables(
            "SHARDING TABLE REFERENCE RULES",
            ShardingListings.REFERENCES,
            1,
            ShardingListings::references));
    forms.add(
        ofTables(
            "SHARDING TABLE REFERENCE RULE name",
            ShardingListings.REFERENCES,
            1,
            ShardingListings::references));
    forms.add(count("SHARDING RULE", RuleCounts::sharding));
    return forms;
  }

  /** What lists definitions of one kind, those that nothing uses, and what uses one of them. */
  private static List<Form> definitions(String one, String many, String key) {
    return List.of(
        rule("SHARDING " + many, ShardingListings.ALGORITHMS, ShardingListings.defined(key)),
        rule("UNUSED SHARDING " + many, ShardingListings.ALGORITHMS, ShardingListings.unused(key)),
        ofTables(
            "SHARDING TABLE RULES USED " + one + " name",
            ShardingListings.USERS,
            1,
            ShardingListings.users(key)));
  }

  private static List<Form> otherRules() {
    return List.of(
        ofTables(
            "BROADCAST TABLE RULES", DatabaseListings.BROADCAST, 0, DatabaseListings::broadcast),
        count("BROADCAST RULE", RuleCounts::broadcast),
        ofTables(
            "SINGLE TABLES [LIKE pattern]", DatabaseListings.SINGLE, 0, DatabaseListings::single),
        ofTables("SINGLE TABLE table", DatabaseListings.SINGLE, 0, DatabaseListings::single),
        rule(
            "DEFAULT SINGLE TABLE STORAGE UNIT",
            DatabaseListings.DEFAULT_SINGLE,
            DatabaseListings::defaultSingle),
        count("SINGLE TABLE", RuleCounts::single),
        rule("READWRITE_SPLITTING RULES", DatabaseListings.GROUPS, DatabaseListings::groups),
        rule("READWRITE_SPLITTING RULE group", DatabaseListings.GROUPS, DatabaseListings::groups),
        count("READWRITE_SPLITTING RULE", RuleCounts::groups),
        Form.elsewhere("SHOW STATUS FROM READWRITE_SPLITTING RULES [FROM database]", DATABASE),
        Form.elsewhere("SHOW READWRITE_SPLITTING EVENTS [FROM database]", DATABASE),
        Form.elsewhere("ALTER READWRITE_SPLITTING RULE group ENABLE member [FROM database]", ADMIN),
        Form.elsewhere(
            "ALTER READWRITE_SPLITTING RULE group DISABLE member [FROM database]", ADMIN));
  }

  /** What tells how columns are stored and shown, and where tests go, is for administrators. */
  private static List<Form> features() {
    return List.of(
        feature("SHOW ENCRYPT RULES", FeatureListings.ENCRYPTED, FeatureListings::encrypted),
        feature("SHOW ENCRYPT RULE table", FeatureListings.ENCRYPTED, FeatureListings::encrypted),
        feature("COUNT ENCRYPT RULE", RuleCounts.COLUMNS, RuleCounts.of("encrypt", "tables")),
        feature("SHOW MASK RULES", FeatureListings.MASKED, FeatureListings::masked),
        feature("SHOW MASK RULE table", FeatureListings.MASKED, FeatureListings::masked),
        feature("COUNT MASK RULE", RuleCounts.COLUMNS, RuleCounts.of("mask", "tables")),
        feature("SHOW SHADOW RULES", FeatureListings.SHADOWS, FeatureListings::shadows),
        feature("SHOW SHADOW RULE name", FeatureListings.SHADOWS, FeatureListings::shadows),
        feature(
            "SHOW SHADOW TABLE RULES",
            FeatureListings.SHADOW_TABLES,
            FeatureListings::shadowTables),
        feature(
            "SHOW SHADOW ALGORITHMS",
            FeatureListings.SHADOW_ALGORITHMS,
            FeatureListings::shadowAlgorithms),
        feature(
            "SHOW DEFAULT SHADOW ALGORITHM",
            FeatureListings.SHADOW_ALGORITHMS,
            FeatureListings::defaultShadowAlgorithm),
        feature("COUNT SHADOW RULE", RuleCounts.COLUMNS, RuleCounts.of("shadow", "dataSources")));
  }

  private static Form feature(String words, List<ResultColumn> columns, Form.Rows rows) {
    return Form.listing(words + " [FROM database]", ADMIN, columns, rows);
  }

  private static List<Form> plugins() {
    return Stream.of(AlgorithmKind.values())
        .map(
            kind ->
                Form.listing(
                    "SHOW " + kind.name().replace('_', ' ') + " ALGORITHM PLUGINS",
                    DATABASE,
                    GlobalListings.PLUGINS,
                    request -> GlobalListings.plugins(request, kind)))
        .toList();
  }

  private static List<Form> global() {
    return List.of(
        Form.listing(
            "SHOW DIST VARIABLES [LIKE pattern]",
            ADMIN,
            GlobalListings.VARIABLES,
            GlobalListings::variables),
        Form.listing(
            "SHOW DIST VARIABLE WHERE NAME = name",
            ADMIN,
            GlobalListings.VARIABLES,
            GlobalListings::variable),
        Form.listing(
            "SHOW AUTHORITY RULE", ADMIN, GlobalListings.AUTHORITY, GlobalListings::authority),
        Form.listing(
            "SHOW TRANSACTION RULE",
            ADMIN,
            GlobalListings.TRANSACTION,
            GlobalListings::transaction),
        Form.listing(
            "SHOW QUERY RULES", ADMIN, GlobalListings.QUERY_RULES, GlobalListings::queryRules),
        Form.listing(
            "SHOW COMPUTE NODES", ADMIN, GlobalListings.NODES, GlobalListings::computeNodes),
        Form.change(
            "REFRESH DATABASE METADATA [database]", ADMIN, List.of(), MetadataRefresh::refresh),
        Form.change(
            "REFRESH TABLE METADATA [table] [FROM STORAGE UNIT unit]",
            ADMIN,
            List.of(),
            MetadataRefresh::refresh),
        Form.elsewhere("PREVIEW …", DATABASE),
        Form.elsewhere("EXPLAIN ROUTE …", DATABASE),
        Form.listing(
            "SHOW ADMINISTRATION STATEMENTS",
            DATABASE,
            SYNTAX,
            _ ->
                FORMS.stream().map(form -> List.of(form.syntax(), form.access().name())).toList()));
  }

  private static Form rule(String subject, List<ResultColumn> columns, Form.Rows rows) {
    return Form.listing("SHOW " + subject + " [FROM database]", DATABASE, columns, rows);
  }

  /** The same of tables: each user is told of those that it sees. */
  private static Form ofTables(
      String subject, List<ResultColumn> columns, int column, Form.Rows rows) {
    return rule(subject, columns, GrantedRows.of(rows, column));
  }

  private static Form count(String subject, Form.Rows rows) {
    return Form.listing(
        "COUNT " + subject + " [FROM database]", DATABASE, RuleCounts.COLUMNS, rows);
  }
}
