import axios from "axios";

const BASE = "/api";

const http = axios.create({ baseURL: "https://depot.example/api" });

export interface StockLevel {
  productId: number;
  bay: string;
  quantity: number;
}

export async function levels(sku: string): Promise<StockLevel[]> {
  const response = await fetch(`${BASE}/stock/${encodeURIComponent(sku)}`);
  return response.json();
}

export async function low(): Promise<unknown[]> {
  const response = await fetch("/api/stock/low");
  return response.json();
}

export async function move(productId: number, fromBay: string, toBay: string, quantity: number): Promise<void> {
  await fetch(`/api/stock/${productId}/moves`, {
    method: "POST",
    body: JSON.stringify({ fromBay, toBay, quantity }),
  });
}

export class Products {
  async cheaper(limit: number): Promise<unknown[]> {
    const response = await http.get("/products", { params: { limit } });
    return response.data;
  }

  async changePrice(id: number, price: number): Promise<void> {
    await axios.put(`https://depot.example/api/products/${id}/price`, price);
  }
}
