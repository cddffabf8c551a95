package io.anabranch.frontend.limit;

import io.anabranch.rules.model.protection.Limit;
import java.util.List;
import java.util.function.Supplier;

/**
 * What this proxy allows: its part of the limits that the proxies of a cluster have together, and
 * all of the others. The same list as long as neither the configuration nor the number of proxies
 * changes. Thread-safe.
 */
public final class LimitParts implements Supplier<List<Limit>> {

  private record Parts(List<Limit> whole, int proxies, List<Limit> parts) {

    @SuppressWarnings("ReferenceEquality") // definitions are replaced, never changed
    boolean areOf(List<Limit> wanted, int among) {
      return whole == wanted && proxies == among;
    }
  }

  private final Supplier<List<Limit>> whole;
  private volatile int proxies = 1;
  private volatile Parts known = new Parts(List.of(), 0, List.of());

  /**
   * @param whole those of the configuration in force; the same list as long as it is
   */
  public LimitParts(Supplier<List<Limit>> whole) {
    this.whole = whole;
  }

  /**
   * How many share limits.
   *
   * @param count this proxy among them
   */
  public void proxies(int count) {
    proxies = Math.max(1, count);
  }

  @Override
  public List<Limit> get() {
    List<Limit> wanted = whole.get();
    int among = proxies;
    Parts last = known;
    return last.areOf(wanted, among) ? last.parts : divided(wanted, among);
  }

  private synchronized List<Limit> divided(List<Limit> wanted, int among) {
    Parts last = known;
    if (!last.areOf(wanted, among)) {
      last = new Parts(wanted, among, wanted.stream().map(limit -> limit.part(among)).toList());
      known = last;
    }
    return last.parts;
  }
}
