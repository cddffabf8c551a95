package io.anabranch.frontend.admin;

import java.util.Map;

/** One path of the admin port beside those that every proxy has. */
public interface AdminPage {

  /** With the leading slash. */
  String path();

  /**
   * Answers a request; on a virtual thread, may block.
   *
   * @param changes whether it is a POST, which may change something; otherwise a GET
   * @param parameters of the query, the first of each name
   * @throws RuntimeException becomes status 500 with its message
   */
  Text answer(boolean changes, Map<String, String> parameters);

  /**
   * @param status HTTP status code
   * @param body JSON
   */
  record Text(int status, String body) {}
}
