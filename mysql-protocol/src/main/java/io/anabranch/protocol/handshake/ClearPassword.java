package io.anabranch.protocol.handshake;

import java.util.Arrays;

/**
 * mysql_clear_password: the client sends the password itself, and a NUL. To be asked for over TLS
 * only.
 *
 * @see <a
 *     href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_authentication_methods_clear_text_password.html">Clear
 *     text clients plugin</a>
 */
public final class ClearPassword {

  public static final String PLUGIN = "mysql_clear_password";

  private ClearPassword() {}

  /**
   * The password of a client's response; a copy.
   *
   * @param response with its NUL, which some clients leave out
   */
  public static byte[] of(byte[] response) {
    int end = response.length;
    return Arrays.copyOf(response, end > 0 && response[end - 1] == 0 ? end - 1 : end);
  }
}
