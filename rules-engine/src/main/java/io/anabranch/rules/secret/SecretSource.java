package io.anabranch.rules.secret;

/**
 * Extension point, found by {@link java.util.ServiceLoader} among the jars of {@code ext-lib/}:
 * where secrets are that configurations refer to as <code>${scheme:name}</code>.
 *
 * <p>Asked at the start and with each reload, by one thread at a time, once for each mention. It
 * may block, and must give up by itself: whoever starts or reloads waits for it.
 */
public interface SecretSource {

  /**
   * What stands in front of the colon: lower case letters, digits and dashes, a letter in front;
   * neither {@code env} nor {@code file}.
   */
  String scheme();

  /**
   * The secret, which is taken as it is.
   *
   * @param name what stands behind the colon, without braces; may be empty
   * @throws Exception whose message says what to do, and never holds a secret: it is told with the
   *     place in the file
   */
  String secret(String name) throws Exception;
}
