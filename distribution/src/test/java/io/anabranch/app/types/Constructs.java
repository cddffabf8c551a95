package io.anabranch.app.types;

import java.util.ArrayList;
import java.util.List;

/** The statements over one column {@code c} of a table with {@code id} and {@code g}. */
final class Constructs {

  private static final List<String> QUERIES =
      List.of(
          "SELECT id, c FROM t ORDER BY c, id",
          "SELECT id, c FROM t ORDER BY c DESC, id DESC",
          "SELECT id, c FROM t WHERE c IS NOT NULL ORDER BY c DESC, id LIMIT 5",
          "SELECT c FROM t",
          "SELECT c, COUNT(*) FROM t GROUP BY c ORDER BY c",
          "SELECT c, COUNT(*), MAX(id) FROM t GROUP BY c",
          "SELECT c, COUNT(*) FROM t GROUP BY c HAVING COUNT(*) > 1 ORDER BY COUNT(*), MAX(id)",
          "SELECT DISTINCT c FROM t",
          "SELECT DISTINCT c FROM t ORDER BY c DESC LIMIT 3",
          "SELECT MIN(c), MAX(c) FROM t",
          "SELECT g, MIN(c), MAX(c), COUNT(c) FROM t GROUP BY g ORDER BY g",
          "SELECT COUNT(DISTINCT c) FROM t",
          "SELECT g, COUNT(DISTINCT c) FROM t GROUP BY g ORDER BY g",
          "SELECT SUM(c), AVG(c) FROM t",
          "SELECT SUM(c) FROM t",
          "SELECT AVG(c) FROM t",
          "SELECT g, SUM(c), AVG(c) FROM t GROUP BY g ORDER BY g",
          "SELECT SUM(DISTINCT c), AVG(DISTINCT c) FROM t",
          "SELECT 100*AVG(c), SUM(c)+1, FLOOR(AVG(c)), AVG(c)/3 FROM t",
          "SELECT g, 100*AVG(c) FROM t GROUP BY g ORDER BY g",
          "SELECT SUM(c+1), AVG(c*2) FROM t",
          "SELECT MAX(c)+0, MIN(c)+0 FROM t",
          "SELECT CONCAT(MAX(c)), COALESCE(MIN(c), 'x') FROM t",
          "SELECT BIT_OR(c), BIT_AND(c), BIT_XOR(c) FROM t",
          "SELECT STDDEV(c) IS NULL, COUNT(c) FROM t",
          "SELECT c FROM t UNION SELECT c FROM t",
          "SELECT c FROM t WHERE id < 9 UNION ALL SELECT c FROM t WHERE id > 12",
          "SELECT id, JSON_ARRAYAGG(c) FROM t GROUP BY id ORDER BY id",
          "SELECT id, JSON_OBJECTAGG(id, c) FROM t GROUP BY id ORDER BY id",
          "SELECT JSON_ARRAYAGG(x.c) FROM (SELECT c, id FROM t WHERE id = 3) x, t u WHERE u.id = 4",
          "SELECT GROUP_CONCAT(c ORDER BY id) FROM t",
          "SELECT LENGTH(GROUP_CONCAT(DISTINCT c ORDER BY c DESC SEPARATOR '')) IS NULL FROM t",
          "SELECT a.id, JSON_OBJECT('k', a.c), JSON_ARRAY(b.c) FROM t a JOIN t b ON a.id = b.g"
              + " ORDER BY a.id, b.id",
          "SELECT id FROM t WHERE c IN (SELECT c FROM t WHERE id < 6) ORDER BY id",
          "SELECT id FROM t WHERE c = (SELECT MAX(c) FROM t) ORDER BY id",
          "SELECT a.id, b.id, a.c FROM t a JOIN t b ON a.c = b.c WHERE a.id < 5 ORDER BY 1, 2",
          "SELECT a.id, b.c FROM t a LEFT JOIN t b ON a.g = b.id ORDER BY a.id",
          "SELECT id, c, ROW_NUMBER() OVER (ORDER BY c, id) r FROM t ORDER BY id",
          "SELECT id, LAG(c) OVER (ORDER BY id) l FROM t ORDER BY id",
          "SELECT id, MAX(c) OVER (PARTITION BY g) m FROM t ORDER BY id",
          "WITH w AS (SELECT id, c FROM t WHERE id > 2 LIMIT 100) SELECT c FROM w ORDER BY c, id",
          "SELECT x.c FROM (SELECT DISTINCT c FROM t) x",
          "SELECT COALESCE(c) k, COUNT(*) FROM t GROUP BY k ORDER BY k",
          "SELECT COALESCE(c, c) FROM t ORDER BY COALESCE(c, c), id LIMIT 7",
          "SELECT DISTINCT IFNULL(c, NULL) FROM t",
          "SELECT DISTINCT CASE WHEN id > 0 THEN c END k FROM t ORDER BY k",
          "SELECT id, IF(id > 3, c, NULL) k FROM t ORDER BY k, id LIMIT 9",
          "SELECT MIN(COALESCE(c)), MAX(IF(id > 2, c, NULL)) FROM t",
          "SELECT COUNT(DISTINCT COALESCE(c)) FROM t",
          "SELECT NULLIF(c, NULL) k, COUNT(*) FROM t GROUP BY 1 ORDER BY 1",
          "SELECT GREATEST(c, c) k FROM t ORDER BY k, id",
          "SELECT CONCAT(c, '') k, COUNT(*) FROM t GROUP BY k ORDER BY k",
          "SELECT c+0 k, COUNT(*) FROM t GROUP BY k ORDER BY k",
          "SELECT -(c + 1) k FROM t ORDER BY k, id",
          "SELECT CAST(c AS CHAR) k, COUNT(*) FROM t GROUP BY k ORDER BY k",
          "SELECT ANY_VALUE(c) FROM t WHERE id = 3",
          "SELECT g, c FROM t GROUP BY g, c ORDER BY g, c",
          "SELECT c, g, SUM(id) FROM t GROUP BY c, g ORDER BY c DESC, g",
          "SELECT g, COUNT(*) FROM t GROUP BY g WITH ROLLUP",
          "SELECT c, COUNT(*) FROM t GROUP BY c WITH ROLLUP",
          "SELECT c FROM t WHERE id < 9 INTERSECT SELECT c FROM t WHERE id > 4",
          "SELECT YEAR(c), LENGTH(c), HEX(c) FROM t ORDER BY id",
          "SELECT YEAR(c) y, COUNT(*) FROM t GROUP BY y ORDER BY y",
          "SELECT MAX(LENGTH(c)), MIN(HEX(c)) FROM t",
          "SELECT ROUND(c, 1) k FROM t ORDER BY k, id",
          "SELECT (SELECT MIN(c) FROM t) m, id FROM t ORDER BY id LIMIT 2");

  private Constructs() {}

  static List<String> over(TypedColumn column, String table) {
    var statements = new ArrayList<String>();
    for (String query : QUERIES) {
      statements.add(
          query
              .replaceAll("\\bc\\b", "c_" + column.name())
              .replaceAll("\\bt\\b(?= |$|\\))", table));
    }
    return statements;
  }
}
