// Cases with go-sql-driver/mysql and GORM; each prints what a client can see.
package main

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-sql-driver/mysql"
	orm "gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
)

type Author struct {
	ID    int64  `gorm:"primaryKey;autoIncrement:false"`
	Name  string `gorm:"size:100;not null"`
	Born  *time.Time
	Books []Book `gorm:"foreignKey:AuthorID;constraint:false"`
}

type Book struct {
	AuthorID int64 `gorm:"primaryKey;autoIncrement:false"`
	Number   int64 `gorm:"primaryKey;autoIncrement:false"`
	Title    string
	Price    float64 `gorm:"type:decimal(10,2)"`
}

func (Author) TableName() string { return "sharded_author" }
func (Book) TableName() string   { return "sharded_book" }

type Note struct {
	gorm.Model
	Text string `gorm:"size:50;uniqueIndex"`
	Done bool
}

func show(name string, err error, values ...any) {
	fmt.Print(name, ":")
	for _, value := range values {
		fmt.Printf(" %v", value)
	}
	var failure *mysql.MySQLError
	if errors.As(err, &failure) {
		fmt.Printf(" error %d %s", failure.Number, failure.SQLState)
	} else if err != nil {
		fmt.Print(" ", err)
	}
	fmt.Println()
}

func main() {
	for _, options := range []string{"", "&interpolateParams=true", "&clientFoundRows=true", "&multiStatements=true",
		"&compress=true", "&tls=skip-verify", "&collation=latin1_swedish_ci"} {
		db, err := sql.Open("mysql", os.Args[1]+"?parseTime=true&loc=UTC"+options)
		if err != nil {
			panic(err)
		}
		db.SetMaxOpenConns(2)
		fmt.Println("== options", options)
		if err := db.Ping(); err != nil {
			show("ping", err)
			continue
		}
		if os.Args[2] == "all" {
			driverCases(db)
		}
		db.Close()
	}
	db, err := gorm.Open(orm.Open(os.Args[1]+"?parseTime=true&loc=UTC"), &gorm.Config{
		Logger: logger.Discard, DisableForeignKeyConstraintWhenMigrating: true})
	if err != nil {
		panic(err)
	}
	fmt.Println("== gorm")
	crud(db)
	if os.Args[2] == "all" {
		migrations(db)
	}
}

func driverCases(db *sql.DB) {
	_, err := db.Exec("DROP TABLE IF EXISTS go_t")
	show("drop", err)
	_, err = db.Exec("CREATE TABLE go_t (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, n INT, d DECIMAL(20,4), s VARCHAR(50), b BLOB, at DATETIME(6), f FLOAT, y YEAR, t TIME(3), bits BIT(9))")
	show("create", err)
	at := time.Date(2024, 2, 29, 23, 59, 59, 123456000, time.UTC)
	result, err := db.Exec("INSERT INTO go_t (n, d, s, b, at, f, y, t, bits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		-5, "12.3400", "näme 🌍", []byte{0, 1, 255}, at, 1.5, 1999, "-12:34:56.789", 5)
	if err == nil {
		id, _ := result.LastInsertId()
		rows, _ := result.RowsAffected()
		show("insert", nil, id, rows)
	} else {
		show("insert", err)
	}
	_, err = db.Exec("INSERT INTO go_t (n, s) VALUES (1, NULL), (2, 'x')")
	show("insert more", err)
	rows, err := db.Query("SELECT * FROM go_t WHERE id >= ? ORDER BY id", 1)
	show("select", err)
	if err == nil {
		types, _ := rows.ColumnTypes()
		for _, column := range types {
			length, hasLength := column.Length()
			precision, scale, hasScale := column.DecimalSize()
			nullable, _ := column.Nullable()
			fmt.Println(" ", column.Name(), column.DatabaseTypeName(), column.ScanType(), nullable, length, hasLength, precision, scale, hasScale)
		}
		for rows.Next() {
			values := make([]any, len(types))
			for i := range values {
				values[i] = new(sql.RawBytes)
			}
			show("row scan", rows.Scan(values...))
			for _, value := range values {
				fmt.Printf(" %q", string(*value.(*sql.RawBytes)))
			}
			fmt.Println()
		}
		show("rows end", rows.Err())
	}
	result, err = db.Exec("UPDATE go_t SET n = n WHERE id = 1")
	if err == nil {
		affected, _ := result.RowsAffected()
		show("update found", nil, affected)
	}
	_, err = db.Exec("INSERT INTO go_t (id) VALUES (1)")
	show("duplicate", err)
	_, err = db.Exec("SELECT * FROM go_nowhere")
	show("no table", err)
	tx, err := db.Begin()
	show("begin", err)
	if err == nil {
		_, err = tx.Exec("DELETE FROM go_t")
		show("delete in transaction", err)
		show("rollback", tx.Rollback())
	}
	var count int
	show("count", db.QueryRow("SELECT COUNT(*) FROM go_t").Scan(&count), count)
	statement, err := db.Prepare("SELECT s, ? FROM go_t WHERE n = ?")
	show("prepare", err)
	if err == nil {
		for i := 0; i < 3; i++ {
			var s sql.NullString
			var value string
			show("execute", statement.QueryRow("v", i).Scan(&s, &value), s, value)
		}
		statement.Close()
	}
	many, err := db.Query("SELECT 1; SELECT 'two', 3; SELECT 4")
	show("several statements", err)
	if err == nil {
		for {
			columns, _ := many.Columns()
			lines := 0
			for many.Next() {
				lines++
			}
			show("one of several", many.Err(), columns, lines)
			if !many.NextResultSet() {
				break
			}
		}
		many.Close()
	}
}

func crud(db *gorm.DB) {
	show("drop", db.Migrator().DropTable("sharded_book", "sharded_author"))
	show("migrate", db.AutoMigrate(&Author{}, &Book{}))
	born := time.Date(1970, 1, 2, 3, 4, 5, 0, time.UTC)
	for id := int64(1); id <= 20; id++ {
		author := Author{ID: id, Name: fmt.Sprintf("author %02d", id%7), Born: &born}
		for number := int64(1); number <= id%4; number++ {
			author.Books = append(author.Books, Book{Number: number, Title: fmt.Sprintf("book %d", number), Price: float64(id) + 0.25})
		}
		result := db.Create(&author)
		show("create", result.Error, result.RowsAffected)
	}
	var authors []Author
	for page := 0; page < 3; page++ {
		result := db.Order("name, id").Limit(5).Offset(page * 5).Find(&authors)
		show("page", result.Error, len(authors))
		for _, author := range authors {
			fmt.Println(" ", author.ID, author.Name, author.Born.UTC())
		}
	}
	result := db.Preload("Books", func(tx *gorm.DB) *gorm.DB { return tx.Order("number") }).Order("id").Find(&authors, []int64{3, 6, 7})
	show("preload", result.Error)
	for _, author := range authors {
		fmt.Println(" ", author.ID, author.Books)
	}
	var count int64
	show("count", db.Model(&Book{}).Where("price > ?", 5).Count(&count).Error, count)
	type sum struct {
		Name  string
		Total float64
		Books int
	}
	var sums []sum
	show("group", db.Model(&Author{}).Select("sharded_author.name, SUM(price) AS total, COUNT(*) AS books").
		Joins("JOIN sharded_book ON sharded_book.author_id = sharded_author.id").
		Group("sharded_author.name").Having("COUNT(*) > ?", 1).Order("sharded_author.name").Scan(&sums).Error, sums)
	updated := db.Model(&Author{}).Where("id = ?", 4).Update("name", "changed")
	show("update one", updated.Error, updated.RowsAffected)
	updated = db.Model(&Book{}).Where("number = ?", 1).Update("title", "first")
	show("update many", updated.Error, updated.RowsAffected)
	upsert := db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&Author{ID: 4, Name: "again", Born: &born})
	show("upsert", upsert.Error, upsert.RowsAffected)
	show("failed transaction", db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Delete(&Author{}, 5).Error; err != nil {
			return err
		}
		return errors.New("undone")
	}))
	show("transaction", db.Transaction(func(tx *gorm.DB) error {
		return tx.Delete(&Book{}, "author_id = ?", 7).Error
	}))
	show("first", db.First(&Author{}, 999).Error)
	show("count authors", db.Model(&Author{}).Count(&count).Error, count)
	show("count books", db.Model(&Book{}).Count(&count).Error, count)
	show("duplicate", db.Create(&Author{ID: 4}).Error)
	deleted := db.Where("id > ?", 10).Delete(&Author{})
	show("delete", deleted.Error, deleted.RowsAffected)
}

func migrations(db *gorm.DB) {
	show("drop", db.Migrator().DropTable(&Note{}))
	show("migrate", db.AutoMigrate(&Note{}))
	show("migrate again", db.AutoMigrate(&Note{}))
	show("tables", nil, db.Migrator().HasTable(&Note{}), db.Migrator().HasColumn(&Note{}, "Text"), db.Migrator().HasIndex(&Note{}, "Text"))
	types, err := db.Migrator().ColumnTypes(&Note{})
	show("column types", err)
	for _, column := range types {
		full, _ := column.ColumnType()
		nullable, _ := column.Nullable()
		key, _ := column.PrimaryKey()
		fmt.Println(" ", column.Name(), full, nullable, key)
	}
	for _, text := range []string{"a", "b", "c"} {
		note := Note{Text: text}
		show("create", db.Create(&note).Error, note.ID)
	}
	batch := []Note{{Text: "d"}, {Text: "e"}}
	show("batch", db.Create(&batch).Error, batch[0].ID, batch[1].ID)
	show("duplicate", db.Create(&Note{Text: "a"}).Error)
	show("soft delete", db.Delete(&Note{}, 2).Error)
	var notes []Note
	show("find", db.Order("id").Find(&notes).Error, len(notes))
	show("find all", db.Unscoped().Order("id").Find(&notes).Error, len(notes))
	show("add column", db.Exec("ALTER TABLE notes ADD COLUMN extra INT").Error)
	show("add index", db.Exec("CREATE INDEX by_extra ON notes (extra)").Error)
	show("rename", db.Migrator().RenameColumn(&Note{}, "extra", "other"))
	show("save point", db.Transaction(func(tx *gorm.DB) error {
		tx.Create(&Note{Text: "kept"})
		tx.SavePoint("one")
		tx.Create(&Note{Text: "gone"})
		tx.RollbackTo("one")
		return nil
	}))
	var count int64
	show("count", db.Model(&Note{}).Count(&count).Error, count)
}
