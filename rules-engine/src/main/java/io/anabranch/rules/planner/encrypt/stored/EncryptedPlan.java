package io.anabranch.rules.planner.encrypt.stored;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Decrypted.Cell;
import io.anabranch.rules.plan.PlanNode.Decrypted.Texts;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;
import io.anabranch.rules.plan.slot.SentValue;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SqlRendering;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The plan of a statement over stored columns, for the values of the client's.
 *
 * @param cells of the answer that are decrypted; empty: it goes on as it is
 * @param columns of the answer, as clients know them; empty where nothing is decrypted
 * @param texts what the session's results are in
 */
public record EncryptedPlan(
    StatementPlan plan,
    StoredText.Written text,
    List<Cell> cells,
    List<ResultColumn> columns,
    Texts texts)
    implements WrappedPlan {

  private static final int[] NO_NODES = {};

  public EncryptedPlan {
    cells = List.copyOf(cells);
    columns = List.copyOf(columns);
  }

  @Override
  public int[] guardedSlots() {
    IntStream inner =
        IntStream.of(plan.guardedSlots())
            .map(slot -> text.slots()[slot])
            .filter(slot -> slot != StoredText.OWN)
            .map(slot -> slot < text.count() ? slot : text.forms().get(slot - text.count()).slot());
    return IntStream.concat(inner, IntStream.of(text.guards())).distinct().toArray();
  }

  @Override
  public boolean sendsOthers() {
    return true;
  }

  @Override
  public List<SentValue> sent(SlotValues values) {
    return new StoredValues(values, text, true).sent();
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    BoundPlan bound = bound(values, values.isBound());
    if (cells.isEmpty()) {
      return bound;
    }
    return switch (bound) {
      case BoundPlan.AsIs asIs -> throw new IllegalStateException("not rewritten: " + asIs);
      case BoundPlan.Single single ->
          new BoundPlan.Merged(
              new PlanNode.Decrypted(rows(single.query()), cells, texts), single.key());
      case BoundPlan.Merged merged -> new BoundPlan.Merged(decrypted(merged.root()), merged.key());
    };
  }

  private PlanNode rows(ShardQuery query) {
    return switch (kind()) {
      case INSERT, REPLACE, UPDATE, DELETE ->
          new PlanNode.Returning(
              new PlanNode.Write(List.of(query), PlanNode.Summing.SUM, true), columns, columns);
      default -> PlanNode.Route.alone(query, columns, plan.names());
    };
  }

  private PlanNode decrypted(PlanNode root) {
    return switch (root) {
      case PlanNode.Change _, PlanNode.Counted _ ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "reading encrypted columns in this way", "read them with a plain SELECT");
      default -> new PlanNode.Decrypted(root, cells, texts);
    };
  }

  /** The statement over stored columns. */
  public BoundPlan bound(SlotValues values, boolean isBound) {
    var stored = new StoredValues(values, text, isBound);
    BoundPlan bound = plan.bind(stored);
    return bound instanceof BoundPlan.AsIs asIs
        ? new BoundPlan.Single(rendered(asIs.dataSource(), stored))
        : bound;
  }

  private ShardQuery rendered(String endpoint, SlotValues stored) {
    var rendering = new SqlRendering(stored, ShardedNames.none(), 256);
    rendering.append(text.pieces(), NO_NODES);
    return rendering.query(endpoint);
  }
}
