import jakarta.persistence.Column;
import jakarta.persistence.ConstraintMode;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.ForeignKey;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;

@Entity
@Table(name = "sharded_book")
public class Book {

  @Id public Long id;

  @Column(length = 100)
  public String title;

  public double weight;

  @ManyToOne(fetch = FetchType.LAZY)
  @JoinColumn(
      name = "author_id",
      nullable = false,
      foreignKey = @ForeignKey(ConstraintMode.NO_CONSTRAINT))
  public Author author;

  protected Book() {}

  public Book(long id, String title, Author author) {
    this.id = id;
    this.title = title;
    this.weight = id / 4.0;
    this.author = author;
  }
}
