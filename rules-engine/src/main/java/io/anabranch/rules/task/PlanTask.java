package io.anabranch.rules.task;

import io.anabranch.rules.catalog.PartDefinitions;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.effort.PlanningRoom;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.syntax.CommonTables;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One statement to plan and all that its plan may depend on.
 *
 * @param scan valid until the plan is made
 * @param catalog of the scope's database
 * @param rules limits of the merge lane, names of the other databases
 * @param catalogs those of all databases
 * @param text the statement, for who reads tokens
 * @param account takes bytes before they are made, beyond what the client's statement is counted
 *     for, or refuses them
 */
public record PlanTask(
    Scan scan,
    PlanScope scope,
    SchemaCatalog catalog,
    RuleSet rules,
    Function<LogicalDatabase, SchemaCatalog> catalogs,
    StatementText text,
    LongConsumer account) {

  /** About what each byte of a text becomes while it is planned. */
  private static final int WEIGHT = 64;

  /**
   * A statement to plan.
   *
   * @param read its tokens, where somebody has read them
   * @param account as in the record
   */
  public static PlanTask of(
      Scan scan,
      @Nullable SourceText read,
      PlanScope scope,
      SchemaCatalog catalog,
      RuleSet rules,
      Function<LogicalDatabase, SchemaCatalog> catalogs,
      LongConsumer account) {
    var text = new StatementText(scan, scope.charset(), scope.lexerMode(), read);
    return new PlanTask(scan, scope, catalog, rules, catalogs, text, account);
  }

  /** Another statement, or the same read otherwise. */
  public PlanTask of(Scan other, PlanScope wanted, SchemaCatalog reading) {
    return of(
        other, other.equals(scan) ? source() : null, wanted, reading, rules, catalogs, account);
  }

  /**
   * Another statement in the same scope.
   *
   * @param sql in the scope's character set; not changed any more
   * @throws io.anabranch.rules.error.RefusedException if it is so much longer that there is no room
   *     for it
   */
  public PlanTask of(byte[] sql) {
    long grown = (long) sql.length - (scan.end() - scan.start());
    if (grown > PlanningRoom.LARGE) {
      account.accept(grown * WEIGHT);
    }
    return of(
        new SqlScanner().scan(sql, 0, sql.length, scope.lexerMode(), new Scan()), scope, catalog);
  }

  /** The same statement in another database. */
  public PlanTask in(LogicalDatabase other) {
    return new PlanTask(
        scan, scope.on(other), catalogs.apply(other), rules, catalogs, text, account);
  }

  public LogicalDatabase database() {
    return scope.database();
  }

  /** The first of these endpoints that answers; the first one if none does. */
  public String nearest(List<String> endpoints) {
    return endpoints.get(nearest(endpoints.size(), endpoints::get));
  }

  /** The first of these nodes whose data source answers; the first one if none does. */
  public DataNode nearestNode(List<DataNode> nodes) {
    return nodes.get(nearest(nodes.size(), node -> nodes.get(node).dataSource()));
  }

  /** How the parts of the scope's tables are defined. */
  public PartDefinitions definitions() {
    return new PartDefinitions(database(), catalog);
  }

  /**
   * How a table is defined, as the first of its nodes tells whose data source answers; empty: it is
   * not there, or a view.
   */
  public Optional<TableDefinition> definition(List<DataNode> nodes) {
    return definitions().of(nearestNode(nodes));
  }

  /** The keys of that definition; none of what is no table. */
  public List<TableKey> keys(List<DataNode> nodes) {
    return definitions().keys(nearestNode(nodes));
  }

  /** The number of the first one whose endpoint answers; 0 if none does. */
  public int nearest(int count, IntFunction<String> endpoint) {
    for (int i = 0; i < count; i++) {
      if (catalog.isReachable(endpoint.apply(i))) {
        return i;
      }
    }
    return 0;
  }

  /**
   * Tables that one statement for a data source may have in its UNION ALL. A locked table may be
   * there once only.
   */
  public int mostLegs() {
    int most = Math.max(1, rules.properties().maxUnionSizePerDataSource());
    return scope.locks().isEmpty() ? most : 1;
  }

  /** The literals of the text itself; markers as they are. */
  public SlotValues written() {
    return new TextSlotValues().over(scan, scope.charset(), scope.lexerMode());
  }

  /** What its WITH clauses define, by the rules of the server that reads it. */
  public CommonTables commonTables(SqlTokens tokens) {
    return new CommonTables(tokens, () -> catalog.isMariaDb(nearest(scope.database().endpoints())));
  }

  /**
   * The statement for a database that is to tell whether it can read it, in the scope's character
   * set: as it was sent, but where there are encrypted columns no value of it.
   */
  public byte[] readable() {
    return rules.encrypts()
        ? withoutValues()
        : Arrays.copyOfRange(scan.sql(), scan.start(), scan.end());
  }

  private byte[] withoutValues() {
    SourceText source = source();
    SqlTokens tokens = source.tokens();
    var sql = new SqlBuffer(source.bytes().length);
    int done = 0;
    for (int literal : tokens.all().where(token -> tokens.kind(token).isLiteral())) {
      int start = source.byteOffset(tokens.start(literal));
      sql.append(source.bytes(), done, start - done);
      sql.append(source.encode(tokens.kind(literal) == TokenKind.NUMBER ? " 1 " : " '' "));
      done = source.byteOffset(tokens.end(literal));
    }
    sql.append(source.bytes(), done, source.bytes().length - done);
    return sql.toByteArray();
  }

  /** The statement as tokens, see {@link StatementText}. */
  public SourceText source() {
    return text.source();
  }
}
