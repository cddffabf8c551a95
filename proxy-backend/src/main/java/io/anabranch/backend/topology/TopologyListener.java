package io.anabranch.backend.topology;

/** What happens to groups and their members. Called on the threads that probe; must be quick. */
public interface TopologyListener {

  /** Whether a data source answers changed; {@code source.condition()} says why. */
  void reachChanged(Member source);

  /** A member's state in its group changed; {@code member.condition()} says why. */
  void stateChanged(String group, Member member, MemberState before);

  /**
   * Another member is the primary now.
   *
   * @param primary its name; empty if none is known
   */
  void primaryChanged(String group, String primary);

  /** What the members say contradicts itself: they should be asked at once. */
  void contradiction(String group);

  /** Listens to nothing. */
  TopologyListener NONE =
      new TopologyListener() {
        @Override
        public void reachChanged(Member source) {}

        @Override
        public void stateChanged(String group, Member member, MemberState before) {}

        @Override
        public void primaryChanged(String group, String primary) {}

        @Override
        public void contradiction(String group) {}
      };
}
