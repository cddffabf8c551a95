package io.anabranch.backend.health;

import io.anabranch.backend.topology.MemberReport;
import io.anabranch.backend.topology.Topology;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.HealthCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Asks the data sources of one logical database, each at its interval, until it is closed.
 * Thread-safe.
 */
public final class HealthWatch implements AutoCloseable {

  private final Topology topology;
  private final Consumer<MemberReport> answers;
  private final List<SourceWatch> watches = new ArrayList<>();
  private final BooleanSupplier isCrowded;

  /**
   * @param topology is told of every answer and failure
   * @param answers likewise, of answers
   */
  public HealthWatch(Topology topology, Consumer<MemberReport> answers) {
    this(topology, answers, () -> false);
  }

  /**
   * @param isCrowded whether data sources in no group are asked seldom, over connections that are
   *     closed again
   */
  public HealthWatch(Topology topology, Consumer<MemberReport> answers, BooleanSupplier isCrowded) {
    this.topology = topology;
    this.answers = answers;
    this.isCrowded = isCrowded;
  }

  /** Begins to ask a group's member; before {@link #start}. */
  public void addMember(
      String source, Discovery.Kind kind, HealthCheck check, Asker.Opener opener) {
    watches.add(
        new SourceWatch(source, () -> Inquiry.of(kind, check), check, opener, this, () -> false));
  }

  /** Begins to ask a data source in no group, merely whether it answers; before {@link #start}. */
  public void add(String source, HealthCheck check, Asker.Opener opener) {
    watches.add(new SourceWatch(source, PlainInquiry::new, check, opener, this, isCrowded));
  }

  public void start() {
    watches.forEach(SourceWatch::start);
  }

  /** Asks all of them now, not at their interval. */
  public void askNow() {
    watches.forEach(SourceWatch::askNow);
  }

  void answered(String source, MemberReport report) {
    answers.accept(report);
    topology.answered(source, report);
  }

  void failed(String source, String reason) {
    topology.failed(source, reason);
  }

  @Override
  public void close() {
    watches.forEach(SourceWatch::close);
  }
}
