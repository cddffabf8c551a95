package io.anabranch.backend.execute.source;

import org.jspecify.annotations.Nullable;

/**
 * The file that a client sends for LOAD DATA LOCAL. Used by the thread that runs the statement,
 * before anything has been given to its row sink; what is left unread is read away when the
 * statement ends.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_local_infile_request.html">LOCAL
 * INFILE Request</a>.
 */
public interface ClientFile {

  /**
   * Asks the client for the file; at most once, and before {@link #next}.
   *
   * @param name as the statement has it, in the client's character set
   * @throws io.anabranch.rules.error.RefusedException 4166 if the client does not send files
   */
  void open(byte[] name);

  /**
   * Waits for more of the file.
   *
   * @return null at its end
   * @throws RuntimeException when the client is gone
   */
  byte @Nullable [] next();

  /** Of statements that read no file. */
  ClientFile NONE =
      new ClientFile() {
        @Override
        public void open(byte[] name) {
          throw new IllegalStateException("no client to ask for a file");
        }

        @Override
        public byte @Nullable [] next() {
          throw new IllegalStateException("no file was opened");
        }
      };
}
