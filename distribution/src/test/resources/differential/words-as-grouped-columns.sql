-- Columns that are called like types and units were taken for them in expressions over groups (1064)
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, v INT, day INT, date DATE, ts DATETIME, year INT, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 5, 1, '2024-01-01', '2024-01-01 10:00:00', 2024), (1, '1', 2, 5, 1, '2024-01-01', '2024-01-03 10:00:00', 2024), (2, '2', 2, 4, 2, '2024-01-02', '2024-01-02 10:00:00', 2023), (2, '3', 3, NULL, 2, '2024-01-02', '2024-01-05 10:00:00', 2023), (3, '3', 3, 3, 1, NULL, NULL, NULL);
SELECT date, CAST(MAX(ts) AS DATE), SUM(v) / COUNT(*) FROM ta GROUP BY date ORDER BY date;
SELECT date, CONVERT(MAX(ts), date), SUM(v) + 1 FROM ta GROUP BY date ORDER BY date;
SELECT day, MAX(ts) + INTERVAL 1 DAY FROM ta GROUP BY day ORDER BY day;
SELECT day, MAX(ts) + INTERVAL day DAY, SUM(v) + day FROM ta GROUP BY day ORDER BY day;
SELECT day, TIMESTAMPDIFF(DAY, MIN(ts), MAX(ts)) FROM ta GROUP BY day ORDER BY day;
SELECT day, EXTRACT(DAY FROM MAX(ts)) + day FROM ta GROUP BY day ORDER BY day;
SELECT date, SUM(v) / 2 FROM ta GROUP BY date HAVING SUM(v) / 2 > 1 AND date >= DATE '2024-01-01' ORDER BY date;
SELECT year, YEAR(MAX(ts)) - year, SUM(v) + 1 FROM ta GROUP BY year ORDER BY year;
SELECT year, SUM(v) + year FROM ta GROUP BY year ORDER BY SUM(v) + year, year;
