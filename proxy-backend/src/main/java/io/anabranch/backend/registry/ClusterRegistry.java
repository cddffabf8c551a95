package io.anabranch.backend.registry;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the proxies of a cluster know together. Thread-safe; every method blocks. */
public interface ClusterRegistry extends AutoCloseable {

  /**
   * The number of the newest revision; 0: there is none.
   *
   * @throws RegistryException if it does not answer
   */
  long newest() throws RegistryException;

  /**
   * Null: there is none of that number, or no longer.
   *
   * @throws RegistryException if it does not answer
   */
  @Nullable Revision revision(long number) throws RegistryException;

  /**
   * The last revisions, the newest first.
   *
   * @throws RegistryException if it does not answer
   */
  List<Revision> last(int most) throws RegistryException;

  /**
   * Adds a revision, if no other one has its number. Who is told of a failure does not know whether
   * it was added: if it was, {@link #newest} says so.
   *
   * @param revision its moment is the registry's, whatever it says
   * @return false: somebody else has published one of that number
   * @throws RegistryException if it does not answer
   */
  boolean publish(Revision revision) throws RegistryException;

  /**
   * Tells that a proxy is there, and of its state.
   *
   * @throws RegistryException if it does not answer
   */
  void present(ClusterMember member) throws RegistryException;

  /**
   * The proxy ends in good order.
   *
   * @throws RegistryException if it does not answer
   */
  void absent(String member) throws RegistryException;

  /**
   * Proxies that have been heard of lately, by their places.
   *
   * @throws RegistryException if it does not answer
   */
  List<ClusterMember> members() throws RegistryException;

  @Override
  void close();
}
