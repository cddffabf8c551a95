package io.anabranch.backend.relay.pipe;

/** What is told of shared connections, for metrics. Called on event loops; must be quick. */
public interface PipeListener {

  /** Listens to nothing. */
  PipeListener NONE = (_, _) -> Source.NONE;

  /**
   * What is counted of one data source. Asked for rarely.
   *
   * @param database the logical database's name
   */
  Source of(String database, String dataSource);

  /** One data source. */
  interface Source {

    /** Counts nothing. */
    Source NONE =
        new Source() {
          @Override
          public void sent(int depth) {}

          @Override
          public void repeated(Repeat why) {}
        };

    /**
     * A statement was sent on a connection that may be shared.
     *
     * @param depth statements there that are not answered, it among them: from 2 on it shares
     */
    void sent(int depth);

    /** A statement is run on a connection of its own in the end. */
    void repeated(Repeat why);
  }
}
