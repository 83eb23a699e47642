using Microsoft.EntityFrameworkCore.Migrations;

namespace Depot.Data.Migrations;

public partial class AddStocktakes : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.CreateTable(
            name: "Stocktakes",
            columns: table => new
            {
                StocktakeId = table.Column<int>(nullable: false),
                Bay = table.Column<string>(maxLength: 16, nullable: false),
                Difference = table.Column<int>(nullable: false)
            },
            constraints: table =>
            {
                table.PrimaryKey("PK_Stocktakes", x => x.StocktakeId);
            });

        migrationBuilder.AddColumn<string>(
            name: "Note",
            table: "StockMoves",
            nullable: true);

        migrationBuilder.Sql("UPDATE dbo.StockMoves SET Note = '' WHERE Note IS NULL");
    }

    protected override void Down(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.DropColumn(name: "Note", table: "StockMoves");
        migrationBuilder.DropTable(name: "Stocktakes");
    }
}
