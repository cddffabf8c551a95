import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * Cases with Hibernate ORM: prints what a program sees, to be compared between servers.
 *
 * <p>Usage: {@code Cases HOST PORT USER PASSWORD DATABASE all|crud}
 */
public final class Cases {

  private final SessionFactory sessions;
  private final boolean isPlain;

  private Cases(SessionFactory sessions, boolean isPlain) {
    this.sessions = sessions;
    this.isPlain = isPlain;
  }

  public static void main(String[] arguments) {
    boolean isPlain = arguments[5].equals("all");
    for (String driver : List.of("mariadb", "mysql")) {
      for (String prepares : List.of("false", "true")) {
        System.out.println("== " + driver + " useServerPrepStmts=" + prepares);
        String url =
            "jdbc:%s://%s:%s/%s?useServerPrepStmts=%s&rewriteBatchedStatements=true&sslMode=%s&allowPublicKeyRetrieval=true"
                .formatted(
                    driver,
                    arguments[0],
                    arguments[1],
                    arguments[4],
                    prepares,
                    driver.equals("mysql") ? "DISABLED" : "disable");
        var configuration =
            new Configuration()
                .addAnnotatedClass(Author.class)
                .addAnnotatedClass(Book.class)
                .setProperty("hibernate.connection.url", url)
                .setProperty("hibernate.connection.username", arguments[2])
                .setProperty("hibernate.connection.password", arguments[3])
                .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                .setProperty("hibernate.jdbc.batch_size", "20")
                .setProperty("hibernate.order_inserts", "true");
        if (isPlain) {
          configuration.addAnnotatedClass(Visit.class);
        }
        try (SessionFactory sessions = configuration.buildSessionFactory()) {
          new Cases(sessions, isPlain).run();
        }
      }
    }
  }

  private void run() {
    make();
    read();
    pages();
    change();
    locks();
    if (isPlain) {
      numbered();
    }
    validated();
  }

  private void show(String what, Function<Session, Object> work) {
    String seen;
    try {
      seen = String.valueOf(sessions.fromTransaction(work::apply));
    } catch (RuntimeException e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      String message = String.valueOf(cause.getMessage()).replaceAll("^\\(conn=\\d+\\) ", "");
      seen = e.getClass().getSimpleName() + ": " + message;
    }
    System.out.println(what + " " + seen);
  }

  private void make() {
    show(
        "make",
        session -> {
          for (long i = 1; i <= 50; i++) {
            var author = new Author(i, "Zoë " + i % 7);
            for (long book = 0; book < i % 4; book++) {
              author.books.add(new Book(i * 10 + book, "Book " + book, author));
            }
            session.persist(author);
          }
          return "50";
        });
    show(
        "twice",
        session -> {
          session.persist(new Author(7, "again"));
          return "made";
        });
  }

  private void read() {
    show("find", session -> session.find(Author.class, 12L));
    show("none", session -> session.find(Author.class, 4711L));
    show("lazy", session -> session.find(Author.class, 11L).books.size());
    show(
        "query",
        session ->
            session
                .createQuery(
                    "from Author where rank = :rank and born < :born order by id", Author.class)
                .setParameter("rank", Author.Rank.FAMOUS)
                .setParameter("born", java.time.LocalDate.of(1908, 1, 1))
                .getResultList());
    show(
        "groups",
        session ->
            rows(
                session
                    .createQuery(
                        "select a.name, count(*), sum(a.fee), max(a.seen) from Author a group by a.name having count(*) > 6 order by a.name",
                        Object[].class)
                    .getResultList()));
    show(
        "fetch join",
        session ->
            session
                .createQuery(
                    "select distinct a from Author a join fetch a.books b where a.id in (3, 6, 7) order by a.id",
                    Author.class)
                .getResultList()
                .stream()
                .map(author -> author.id + ":" + author.books.size())
                .toList());
    show(
        "exists",
        session ->
            session
                .createQuery(
                    "select count(a) from Author a where exists (select 1 from Book b where b.author = a and b.weight > 50)",
                    Long.class)
                .getSingleResult());
    show(
        "native",
        session ->
            rows(
                session
                    .createNativeQuery(
                        "SELECT name, fee FROM sharded_author WHERE id BETWEEN ? AND ? ORDER BY id DESC",
                        Object[].class)
                    .setParameter(1, 5)
                    .setParameter(2, 8)
                    .getResultList()));
    show(
        "nonsense",
        session ->
            session
                .createNativeQuery("SELECT nonsense FROM sharded_author", Object.class)
                .getResultList());
  }

  private static List<String> rows(List<Object[]> rows) {
    var text = new ArrayList<String>();
    rows.forEach(row -> text.add(Arrays.toString(row)));
    return text;
  }

  private void pages() {
    for (int page = 0; page < 4; page++) {
      int first = page * 15;
      show(
          "page " + page,
          session ->
              session
                  .createQuery("select id from Author order by born desc, id", Long.class)
                  .setFirstResult(first)
                  .setMaxResults(15)
                  .getResultList());
    }
    show(
        "criteria",
        session -> {
          CriteriaQuery<Author> query = session.getCriteriaBuilder().createQuery(Author.class);
          Root<Author> author = query.from(Author.class);
          query
              .where(session.getCriteriaBuilder().isTrue(author.get("active")))
              .orderBy(session.getCriteriaBuilder().desc(author.get("id")));
          return session.createQuery(query).setMaxResults(3).getResultList();
        });
    show(
        "scroll",
        session -> {
          long sum = 0;
          try (var rows =
              session.createQuery("select id from Author order by id", Long.class).scroll()) {
            while (rows.next()) {
              sum += rows.get();
            }
          }
          return sum;
        });
    show(
        "count",
        session -> session.createQuery("select count(*) from Book", Long.class).getSingleResult());
  }

  private void change() {
    show(
        "update",
        session -> {
          Author author = session.find(Author.class, 3L);
          author.name = "changed";
          author.books.remove(0);
          return author.books.size();
        });
    show("updated", session -> session.find(Author.class, 3L));
    show(
        "bulk",
        session ->
            session
                .createMutationQuery("update Author set active = false where name like :name")
                .setParameter("name", "Zoë 1%")
                .executeUpdate());
    show(
        "remove",
        session -> {
          session.remove(session.find(Author.class, 6L));
          return "removed";
        });
    show(
        "rolled back",
        session -> {
          session.createMutationQuery("delete from Book").executeUpdate();
          throw new IllegalStateException("own");
        });
    show(
        "left",
        session -> session.createQuery("select count(*) from Book", Long.class).getSingleResult());
  }

  private void locks() {
    show(
        "optimistic",
        session -> {
          Author stale = session.find(Author.class, 9L);
          sessions.inTransaction(other -> other.find(Author.class, 9L).name = "first");
          stale.name = "second";
          try {
            session.flush();
            return "written";
          } catch (OptimisticLockException e) {
            session.clear();
            return "refused";
          }
        });
    show(
        "pessimistic",
        session -> session.find(Author.class, 10L, LockModeType.PESSIMISTIC_WRITE).version);
    show(
        "read-only",
        session -> {
          session.setDefaultReadOnly(true);
          return session.find(Author.class, 10L).name;
        });
  }

  private void numbered() {
    show(
        "numbered",
        session -> {
          for (int i = 0; i < 5; i++) {
            session.persist(new Visit("x".repeat(i * 20_000), session.find(Author.class, 1L)));
          }
          session.flush();
          return session
              .createQuery("select id, length(text) from Visit order by id", Object[].class)
              .getResultList()
              .stream()
              .map(Arrays::toString)
              .toList();
        });
    show(
        "foreign key",
        session ->
            session.createNativeMutationQuery("UPDATE Visit SET author_id = 4711").executeUpdate());
  }

  /** Hibernate reads the schema as it is. */
  private void validated() {
    sessions.getSchemaManager().validateMappedObjects();
    sessions.getSchemaManager().truncateMappedObjects();
    show(
        "emptied",
        session ->
            session.createQuery("select count(*) from Author", Long.class).getSingleResult());
  }
}
