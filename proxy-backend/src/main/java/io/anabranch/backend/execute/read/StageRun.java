package io.anabranch.backend.execute.read;

import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.execute.source.Warnings;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.merge.StreamTree;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.stage.StageBudget;
import io.anabranch.backend.stage.StageKeys;
import io.anabranch.backend.stage.StageLimits;
import io.anabranch.backend.stage.StageRooms;
import io.anabranch.backend.stage.StagedBytes;
import io.anabranch.backend.stage.StagingConnection;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link PlanNode.Stage}. The staging connection is taken before those that are read from,
 * and these are given back before the statement itself runs; of the former a data source has fewer
 * than connections, so that nobody waits for another who waits for him.
 */
public final class StageRun {

  /** Not in the manual, but in the packets. */
  private static final int PART_OF_KEY = 0x4000;

  private static final int KEYS =
      ColumnFlag.PRIMARY_KEY | ColumnFlag.UNIQUE_KEY | ColumnFlag.MULTIPLE_KEY | PART_OF_KEY;

  /**
   * What all statements share.
   *
   * @param staged what all of them have in temporary tables
   * @param copied is told how many rows a statement has copied
   */
  public record Setting(
      StageLimits limits, StageRooms rooms, StagedBytes staged, LongConsumer copied) {}

  private final PlanNode.Stage stage;
  private final SourceRuns runs;
  private final MergeRequest request;
  private final Setting setting;
  private final RowFormat format;

  StageRun(PlanNode.Stage stage, SourceRuns runs, Setting setting) {
    this.stage = stage;
    this.runs = runs;
    this.request = runs.request();
    this.setting = setting;
    this.format = RowFormat.of(request.binary());
  }

  /** Copies all tables and starts the statement. */
  RowStream open(StreamTree inputs) {
    if (setting.limits().rows() == 0) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a statement that needs temporary tables", "set proxy-stage-max-rows above 0");
    }
    String endpoint = stage.query().dataSource();
    StageRooms.Room room =
        setting
            .rooms()
            .enter(
                request.names().schema(),
                endpoint,
                stage.room(),
                request.user(),
                () -> request.cancellation().reason());
    StagedRows rows = null;
    try {
      Lease lease = request.times().leasing(() -> request.leases().apart(endpoint));
      lease.shard().waits(request.times());
      rows = new StagedRows(new StagingConnection(lease), room);
      request.cancellation().enter(lease, false);
      rows.fill(inputs);
      rows.start();
      return rows;
    } catch (RuntimeException failure) {
      if (rows == null) {
        room.close();
      } else {
        rows.close();
      }
      throw failure;
    }
  }

  /** An expression is called by its text, in which copies may stand: subqueries. */
  static String nameOf(String answered, List<StagedTable> tables, NameMapping names) {
    if (!answered.contains(StagedTable.COPY)) {
      return answered;
    }
    String name = answered;
    // the first copy is called as the tenth begins
    for (StagedTable table :
        tables.stream()
            .sorted(Comparator.comparingInt((StagedTable each) -> each.name().length()).reversed())
            .toList()) {
      String logical = names.tables().getOrDefault(table.name(), table.name());
      name = name.replace(table.unaliased(), "").replace(table.name(), logical);
    }
    return name;
  }

  /** The rows of the statement over the copies. */
  private final class StagedRows implements RowStream {

    private final StagingConnection connection;
    private final StageRooms.Room room;
    private final SessionSettings settings = request.leases().settings();
    private final StageBudget budget = new StageBudget(setting.limits(), setting.staged());
    private List<ResultColumn> columns = stage.columns();
    private @Nullable ShardCursor cursor;

    /** What was said of rows while they were read. */
    private List<List<String>> copied = List.of();

    StagedRows(StagingConnection connection, StageRooms.Room room) {
      this.connection = connection;
      this.room = room;
    }

    void fill(StreamTree inputs) {
      try {
        connection.begin();
        var reads = new ArrayList<ShardQuery>();
        stage.tables().forEach(table -> reads.addAll(PlanPrinter.queries(table.rows())));
        readAllAsStored();
        runs.keep(reads);
        var keys = new StageKeys(stage.tables());
        for (StagedTable table : stage.tables()) {
          try (RowStream rows = inputs.build(keys.rows(table))) {
            connection.fill(table, rows, format, budget, keys);
          }
        }
        setting.copied().accept(budget.rows());
        copied = runs.letGo();
      } catch (ShardException failure) {
        throw told(failure);
      }
    }

    /** What the session says of its results is not meant for the rows to copy. */
    private void readAllAsStored() {
      if (settings.variables().containsKey("sql_select_limit")) {
        request.leases().setting("sql_select_limit", "DEFAULT");
      }
      if (settings.variables().containsKey("character_set_results")) {
        request.leases().setting("character_set_results", "utf8mb4");
      }
    }

    void start() {
      try {
        connection.apply(settings, stage.takesAnyGroup());
        connection.insertId(request.insertId());
        ShardCursor opened = connection.query(stage.query(), request.parameters(), format);
        cursor = opened;
        requireDescribed(opened.columns());
        columns = named(opened.columns());
      } catch (ShardException failure) {
        throw told(failure);
      }
    }

    /**
     * {@code *} over copies that lack columns of their tables would be a wrong answer. Of the
     * proxy's own tables nothing is described.
     */
    private void requireDescribed(List<ResultColumn> answered) {
      if (!stage.columns().isEmpty() && answered.size() != stage.columns().size()) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "a statement over copies of tables that has "
                + answered.size()
                + " columns instead of "
                + stage.columns().size(),
            "name its columns");
      }
    }

    /** As the database answers, under the client's names; keys are the original tables'. */
    private List<ResultColumn> named(List<ResultColumn> actual) {
      NameMapping names = request.names();
      var named = new ArrayList<ResultColumn>(actual.size());
      for (int i = 0; i < actual.size(); i++) {
        ResultColumn answer = actual.get(i);
        ResultColumn plan = stage.columns().isEmpty() ? answer : stage.columns().get(i);
        if (stage.tables().getFirst().name().equals(StagedTable.GROUPS)) {
          named.add(computed(answer, plan));
          continue;
        }
        named.add(
            new ResultColumn(
                schemaOf(answer, names),
                names.tables().getOrDefault(answer.table(), answer.table()),
                names.tables().getOrDefault(answer.orgTable(), answer.orgTable()),
                nameOf(answer.name(), stage.tables(), names),
                answer.orgName(),
                answer.collation(),
                answer.length(),
                answer.type(),
                flags(answer.flags(), plan.flags()),
                answer.decimals(),
                extended(answer, plan)));
      }
      return List.copyOf(named);
    }

    /** What JSON_TABLE gives is of no schema: MariaDB calls it {@code *any*}. */
    private static String schemaOf(ResultColumn answer, NameMapping names) {
      boolean isOfNone = answer.schema().isEmpty() || answer.schema().startsWith("*");
      return isOfNone ? answer.schema() : names.schema();
    }

    /** The plan's description, as far as it fits the cells of the answer. */
    private static ResultColumn computed(ResultColumn answer, ResultColumn plan) {
      boolean fits = answer.type() == plan.type();
      return new ResultColumn(
          plan.schema(),
          plan.table(),
          plan.orgTable(),
          plan.name(),
          plan.orgName(),
          answer.collation(),
          fits ? plan.length() : answer.length(),
          answer.type(),
          fits ? plan.flags() : answer.flags(),
          fits ? plan.decimals() : answer.decimals(),
          extended(answer, plan));
    }

    /** MariaDB's JSON is a constraint of the original column, which the copy does not have. */
    private static String extended(ResultColumn answer, ResultColumn plan) {
      return answer.extended().isEmpty() && answer.type() == plan.type()
          ? plan.extended()
          : answer.extended();
    }

    /** The copy's own keys are not the table's. */
    private static int flags(int answered, int planned) {
      return (answered & KEYS) == 0 ? answered : (answered & ~KEYS) | (planned & KEYS);
    }

    @Override
    public List<ResultColumn> columns() {
      return columns;
    }

    @Override
    public byte @Nullable [] next() {
      ShardCursor open = cursor;
      if (open == null) {
        return null;
      }
      try {
        byte[] row = open.next();
        if (row == null) {
          cursor = null;
          open.close();
          int warnings = open.outcome().warnings();
          List<List<String>> told = warnings == 0 ? List.of() : warned();
          if (request.ofText() && open.textWarnings() > 0) {
            List<List<String>> ofText = Warnings.ofText(connection.lease(), stage.query(), request);
            runs.warned(ofText.size(), ofText);
          }
          List<List<String>> before = Warnings.notAmong(told, copied);
          runs.warned(before.size(), before);
          runs.warned(warnings, told);
          connection.read();
        }
        return row;
      } catch (ShardException failure) {
        cursor = null;
        throw told(failure);
      }
    }

    private List<List<String>> warned() {
      return Warnings.read(connection.lease(), request);
    }

    @Override
    public void close() {
      cursor = null;
      request.cancellation().leave(connection.lease());
      if (request.cancellation().reason() != null) {
        connection.abandon();
      }
      connection.end();
      budget.close();
      room.close();
    }

    /** A lost staging connection costs no transaction. */
    private RuntimeException told(ShardException failure) {
      Lease lease = connection.lease();
      return switch (failure) {
        case ShardException.Lost ignored -> ErrorCatalogue.BACKEND_LOST.refuse(lease.dataSource());
        case ShardException.Database refused ->
            refused.withSchemaOf(request.names(), lease.shard().database());
      };
    }
  }
}
