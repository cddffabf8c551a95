package io.anabranch.frontend.session.prepared;

/**
 * What a client has done with prepared statements, as {@code SHOW SESSION STATUS} counts it, by
 * commands of the protocol and by PREPARE, EXECUTE and DEALLOCATE PREPARE alike.
 *
 * @see <a
 *     href="https://dev.mysql.com/doc/refman/8.4/en/server-status-variables.html#statvar_Com_xxx">
 *     Com_xxx</a>
 */
public enum PreparedCommand {
  PREPARE("Com_stmt_prepare"),
  EXECUTE("Com_stmt_execute"),
  SEND_LONG_DATA("Com_stmt_send_long_data"),
  FETCH("Com_stmt_fetch"),
  RESET("Com_stmt_reset"),
  CLOSE("Com_stmt_close");

  private final String variable;

  PreparedCommand(String variable) {
    this.variable = variable;
  }

  /** Name of the status variable. */
  public String variable() {
    return variable;
  }
}
