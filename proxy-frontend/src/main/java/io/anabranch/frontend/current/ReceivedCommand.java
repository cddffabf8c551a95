package io.anabranch.frontend.current;

import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the client has sent, beside the text: for {@code COM_STMT_EXECUTE} the prepared statement
 * with its parameters, and in which form it wants the answer. Empty between two commands.
 */
public final class ReceivedCommand {

  /** Texts up to this length are written anew: that is cheaper than to keep their packet. */
  private static final int COPIED_BYTES = 8 * 1024;

  private @Nullable ByteBuf packet;
  private @Nullable PreparedStatement prepared;
  private ExecuteParameters parameters = ExecuteParameters.NONE;
  private byte @Nullable [] bulk;
  private boolean bindsVariables;
  private boolean wantsCursor;
  private boolean fetches;
  private @Nullable PrepareReply prepareReply;
  private ClientCommand.@Nullable FieldList listed;

  ReceivedCommand() {}

  /** What becomes of the answer to COM_STMT_PREPARE. */
  public interface PrepareReply {
    void prepared(List<ResultColumn> columns, int parameterCount, int warnings);
  }

  /**
   * The packet that the text came in: a long one is kept until the command ends, and sent on as it
   * is.
   *
   * @param payload the caller keeps its reference
   */
  public void packet(ByteBuf payload) {
    if (payload.readableBytes() > COPIED_BYTES) {
      packet = payload.retain();
    }
  }

  /** Null: there is none that is worth sending on. */
  @Nullable ByteBuf packet() {
    return packet;
  }

  void ended() {
    ByteBuf own = packet;
    packet = null;
    if (own != null) {
      own.release();
    }
    prepared = null;
    bindsVariables = false;
    bulk = null;
    prepareReply = null;
    listed = null;
    wantsCursor = false;
    fetches = false;
    parameters = ExecuteParameters.NONE;
  }

  /** Whether it is one of the binary protocol. */
  public boolean isPrepared() {
    return prepared != null || prepareReply != null;
  }

  /** What COM_STMT_EXECUTE runs. */
  public @Nullable PreparedStatement prepared() {
    return prepared;
  }

  public void prepared(@Nullable PreparedStatement next) {
    prepared = next;
  }

  /** Another may follow, which binds nothing. */
  void statementEnded() {
    if (bindsVariables) {
      bindsVariables = false;
      parameters = ExecuteParameters.NONE;
    }
  }

  /**
   * EXECUTE … USING is run: the text that takes its place has markers.
   *
   * @param values of the variables
   */
  void bindsVariables(ExecuteParameters values) {
    bindsVariables = true;
    parameters = values;
  }

  /**
   * Whether it is EXECUTE … USING with values that databases get as parameters: the client is told
   * rows in the text protocol all the same.
   */
  public boolean bindsVariables() {
    return bindsVariables;
  }

  /** Whether databases get it as a prepared statement, and answer in the binary protocol. */
  public boolean isExecuted() {
    return prepared != null || bindsVariables;
  }

  /** As the client has bound them. */
  public ExecuteParameters parameters() {
    return parameters;
  }

  void parameters(ExecuteParameters next) {
    parameters = next;
  }

  /** What COM_STMT_BULK_EXECUTE gives instead of parameters; null: it is no such command. */
  public byte @Nullable [] bulk() {
    return bulk;
  }

  public void bulk(byte @Nullable [] next) {
    bulk = next;
  }

  /** The client wants to fetch the rows in portions. */
  public boolean wantsCursor() {
    return wantsCursor;
  }

  public void wantsCursor(boolean next) {
    wantsCursor = next;
  }

  /** COM_STMT_FETCH runs, and reads from what is open. */
  public boolean fetches() {
    return fetches;
  }

  public void fetches(boolean next) {
    fetches = next;
  }

  /** Set for COM_STMT_PREPARE. */
  public @Nullable PrepareReply prepareReply() {
    return prepareReply;
  }

  public void prepareReply(@Nullable PrepareReply next) {
    prepareReply = next;
  }

  /** Set for COM_FIELD_LIST. */
  public ClientCommand.@Nullable FieldList listed() {
    return listed;
  }

  public void listed(ClientCommand.@Nullable FieldList next) {
    listed = next;
  }
}
