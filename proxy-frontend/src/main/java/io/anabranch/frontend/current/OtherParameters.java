package io.anabranch.frontend.current;

import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.rules.plan.slot.SentValue;
import java.nio.charset.Charset;
import java.util.List;

/** Parameters for a statement whose plan sends others than the client has given. */
final class OtherParameters {

  private OtherParameters() {}

  /**
   * @param charset that texts are sent in
   */
  static ExecuteParameters of(List<SentValue> sent, ExecuteParameters given, Charset charset) {
    var parameters = new StatementParameter[sent.size()];
    for (int i = 0; i < parameters.length; i++) {
      SentValue value = sent.get(i);
      parameters[i] =
          value.isReplaced()
              ? text(value, charset)
              : new StatementParameter(
                  given.type(value.parameter()), given.value(value.parameter()));
    }
    return ExecuteParameters.of(parameters);
  }

  private static StatementParameter text(SentValue value, Charset charset) {
    String text = value.text();
    int type = ColumnType.VAR_STRING.code();
    if (text == null) {
      return new StatementParameter(type, null);
    }
    byte[] bytes = text.getBytes(charset);
    int size = LengthEncoded.size(bytes.length);
    byte[] encoded = new byte[size + bytes.length];
    LengthEncoded.write(encoded, 0, bytes.length);
    System.arraycopy(bytes, 0, encoded, size, bytes.length);
    return new StatementParameter(type, encoded);
  }
}
