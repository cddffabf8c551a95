import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import jakarta.persistence.ManyToOne;

/** Numbered by the database, with a foreign key. */
@Entity
public class Visit {

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  public Long id;

  @Lob
  @Column(length = 100_000)
  public String text;

  @ManyToOne public Author author;

  protected Visit() {}

  public Visit(String text, Author author) {
    this.text = text;
    this.author = author;
  }
}
