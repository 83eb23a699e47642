import { levels, low, move, Products } from "./api";

export class StockPage {
  private readonly products = new Products();

  async open(sku: string): Promise<number> {
    const found = await levels(sku);
    return found.reduce((sum, level) => sum + level.quantity, 0);
  }

  async reorder(): Promise<number> {
    return (await low()).length;
  }

  async putAway(productId: number, bay: string, quantity: number): Promise<void> {
    await move(productId, "dock", bay, quantity);
  }

  async discount(id: number, price: number): Promise<void> {
    await this.products.changePrice(id, price * 0.9);
  }
}
