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

  /**
   * A number that no other proxy has, nor has had within a day without giving it back by {@link
   * #absent}. To be asked for again and again.
   *
   * @param most the highest one; the lowest is 1
   * @return 0: all are taken
   * @throws RegistryException if it does not answer
   */
  int number(String member, int most) throws RegistryException;

  /**
   * Asks another proxy, which finds it among its {@link #questions}.
   *
   * @return what {@link #answered} and {@link #forget} are to be called with
   * @throws RegistryException if it does not answer
   */
  String ask(String member, String text) throws RegistryException;

  /**
   * What a proxy is asked and has not answered, the oldest first: what nobody waits for any more is
   * not among it, as far as that is known.
   *
   * @throws RegistryException if it does not answer
   */
  List<MemberQuestion> questions(String member) throws RegistryException;

  /**
   * A question that nobody waits for any more is answered to nobody.
   *
   * @throws RegistryException if it does not answer
   */
  void answer(MemberQuestion question, String answer) throws RegistryException;

  /**
   * Null: not yet.
   *
   * @throws RegistryException if it does not answer
   */
  @Nullable String answered(String question) throws RegistryException;

  /**
   * Whoever asked waits no more.
   *
   * @throws RegistryException if it does not answer
   */
  void forget(String question) throws RegistryException;

  @Override
  void close();
}
