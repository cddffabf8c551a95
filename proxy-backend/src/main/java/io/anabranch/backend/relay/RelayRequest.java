package io.anabranch.backend.relay;

import io.anabranch.rules.plan.NameMapping;
import java.util.List;

/**
 * One command for a leased connection.
 *
 * @param prologue statements sent in front; their OK answers are swallowed, the first error becomes
 *     the command's answer and nothing behind it is run. {@code BEGIN}, {@code START TRANSACTION},
 *     {@code XA START} and {@code XA END} travel in one packet train with what follows; any other
 *     statement may fail, so what follows waits for its OK
 * @param names how actual names in column definitions become logical ones
 * @param generatedKey what the OK packet of an INSERT with rows tells the client as last insert id;
 *     0: what the database says
 */
public record RelayRequest(
    List<byte[]> prologue, RelayCommand command, NameMapping names, long generatedKey) {

  public RelayRequest(List<byte[]> prologue, RelayCommand command, NameMapping names) {
    this(prologue, command, names, 0);
  }
}
