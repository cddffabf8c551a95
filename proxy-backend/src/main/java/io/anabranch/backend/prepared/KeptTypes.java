package io.anabranch.backend.prepared;

/** Which servers keep the types of a prepared statement's parameters: MySQL since 8.0.22. */
public final class KeptTypes {

  private static final int FIRST = 8_00_22;

  private KeptTypes() {}

  /**
   * @param serverVersion of the greeting
   */
  public static boolean by(String serverVersion) {
    return !serverVersion.contains("MariaDB") && number(serverVersion) >= FIRST;
  }

  private static int number(String version) {
    int number = 0;
    int at = 0;
    for (int part = 0; part < 3; part++) {
      int digits = 0;
      while (at < version.length() && Character.isDigit(version.charAt(at)) && digits < 100) {
        digits = digits * 10 + (version.charAt(at++) - '0');
      }
      number = number * 100 + Math.min(digits, 99);
      at++;
    }
    return number;
  }
}
