package io.anabranch.backend.pool.wire;

import io.anabranch.backend.lease.StartValues;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.TreeMap;

/** Asks a fresh connection for the values that its session starts with. */
public final class StartReading {

  private StartReading() {}

  /** Blocks. */
  public static StartValues.Born of(Connection raw) throws SQLException {
    var told = new TreeMap<String, String>();
    try (Statement statement = raw.createStatement();
        ResultSet rows = statement.executeQuery(StartValues.ASK)) {
      while (rows.next()) {
        told.put(rows.getString(1), rows.getString(2));
      }
    }
    return StartValues.Born.of(told);
  }
}
