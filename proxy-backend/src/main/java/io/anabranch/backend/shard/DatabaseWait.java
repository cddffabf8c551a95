package io.anabranch.backend.shard;

/** Is told when a thread of a statement waits for a database. Thread-safe. */
public interface DatabaseWait {

  /** Nobody wants to know. */
  DatabaseWait NONE =
      new DatabaseWait() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}
      };

  /** Something of the statement waits from here on. */
  void begins();

  /** What waited has got an answer; as often as {@link #begins}. */
  void ends();
}
