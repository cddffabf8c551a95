import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/** Has its books in the same part of a sharded database. */
@Entity
@Table(name = "sharded_author")
public class Author {

  /** How well known. */
  public enum Rank {
    UNKNOWN,
    FAMOUS
  }

  @Id public Long id;

  @Column(length = 60, nullable = false)
  public String name;

  public LocalDate born;

  @Column(columnDefinition = "DATETIME(6)")
  public LocalDateTime seen;

  @Column(precision = 12, scale = 4)
  public BigDecimal fee;

  @Enumerated(EnumType.STRING)
  @Column(length = 10, columnDefinition = "VARCHAR(10)")
  public Rank rank;

  public boolean active;

  @Column(length = 200)
  public byte[] portrait;

  @Version public int version;

  @OneToMany(mappedBy = "author", cascade = CascadeType.ALL, orphanRemoval = true)
  public List<Book> books = new ArrayList<>();

  protected Author() {}

  public Author(long id, String name) {
    this.id = id;
    this.name = name;
    this.born = LocalDate.of(1900, 1, 1).plusDays(id * 100);
    this.seen = LocalDateTime.of(2024, 2, 29, 23, 59, 59, 123_456_000);
    this.fee = BigDecimal.valueOf(id * 1000 + 25, 3);
    this.rank = id % 3 == 0 ? Rank.FAMOUS : Rank.UNKNOWN;
    this.active = id % 2 == 0;
    this.portrait = new byte[] {0, (byte) id, -1};
  }

  @Override
  public String toString() {
    return "%d %s %s %s %s %s %s %s v%d"
        .formatted(
            id, name, born, seen, fee, rank, active, java.util.Arrays.toString(portrait), version);
  }
}
