package io.anabranch.backend.registry;

/**
 * A proxy of a cluster, as it has told of itself.
 *
 * @param id of this run of the process, at most 64 characters
 * @param host where clients connect
 * @param port where clients connect; 0: not yet known
 * @param version of the proxy
 * @param revision of the configuration that it works with
 * @param state in a word
 */
public record ClusterMember(
    String id, String host, int port, String version, long revision, State state) {

  /** What a proxy says of itself. */
  public enum State {
    /** Works with the newest revision that it knows of. */
    OK,
    /** Could not take a newer revision, and works with the one that it had. */
    REFUSED
  }
}
