// A list of any length of which only the rows in view are in the document. Rows have two heights:
// the first `tall` ones are higher than the others.

const MARGIN = 6;

export class List {
  /**
   * @param grid has the focus, and names the active row to screen readers
   * @param view scrolls
   * @param space inside it, as high as all rows
   * @param fill writes an item into an element of a row
   * @param chosen takes the item that became active
   */
  constructor(grid, view, space, heights, fill, chosen) {
    Object.assign(this, { grid, view, space, heights, fill, chosen });
    this.items = [];
    this.tall = 0;
    this.active = -1;
    this.shown = new Map();
    this.spare = [];
    this.queued = false;
    view.addEventListener('scroll', () => this.later());
    new ResizeObserver(() => this.later()).observe(view);
    grid.addEventListener('keydown', event => this.key(event));
    view.addEventListener('click', event => {
      const row = event.target.closest('[role=row]');
      if (row) this.select(Number(row.dataset.index));
    });
  }

  /** Makes rows in another way; the next show fills them. */
  reset(row) {
    this.row = row;
    this.shown.clear();
    this.spare = [];
    this.space.replaceChildren();
  }

  /** Shows these items; the active one stays active as long as it is there. */
  show(items, tall) {
    const name = this.active >= 0 && this.items[this.active] ? this.items[this.active].name : null;
    this.items = items;
    this.tall = tall;
    this.active = name === null ? -1 : items.findIndex(item => item.name === name);
    this.grid.setAttribute('aria-rowcount', items.length + 1);
    this.space.style.height = this.top(items.length) + 'px';
    this.draw(true);
  }

  top(index) {
    const tall = Math.min(index, this.tall);
    return tall * this.heights[0] + (index - tall) * this.heights[1];
  }

  at(y) {
    const end = this.tall * this.heights[0];
    const index = y < end ? y / this.heights[0] : this.tall + (y - end) / this.heights[1];
    return Math.max(0, Math.min(this.items.length - 1, Math.floor(index)));
  }

  later() {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.draw(false);
    });
  }

  draw(anew) {
    const from = Math.max(0, this.at(this.view.scrollTop) - MARGIN);
    const to = this.items.length
      ? Math.min(this.items.length, this.at(this.view.scrollTop + this.view.clientHeight) + MARGIN + 1) : 0;
    for (const [index, row] of this.shown) {
      if (index < from || index >= to) {
        row.remove();
        this.shown.delete(index);
        this.spare.push(row);
      }
    }
    for (let i = from; i < to; i++) {
      let row = this.shown.get(i);
      if (row && !anew) continue;
      if (!row) {
        row = this.spare.pop() || this.row();
        this.shown.set(i, row);
        row.dataset.index = i;
        row.id = 'row-' + i;
        row.setAttribute('aria-rowindex', i + 2);
        this.space.append(row);
      }
      row.style.transform = `translateY(${this.top(i)}px)`;
      row.style.height = this.heights[i < this.tall ? 0 : 1] + 'px';
      this.fill(row, this.items[i]);
    }
    this.mark();
  }

  mark() {
    for (const [index, row] of this.shown) {
      row.setAttribute('aria-selected', index === this.active);
    }
    if (this.shown.has(this.active)) this.grid.setAttribute('aria-activedescendant', 'row-' + this.active);
    else this.grid.removeAttribute('aria-activedescendant');
  }

  select(index) {
    if (!this.items.length) return;
    this.active = Math.max(0, Math.min(this.items.length - 1, index));
    const top = this.top(this.active);
    const bottom = this.top(this.active + 1);
    if (top < this.view.scrollTop) this.view.scrollTop = top;
    else if (bottom > this.view.scrollTop + this.view.clientHeight) {
      this.view.scrollTop = bottom - this.view.clientHeight;
    }
    this.draw(false);
    this.chosen(this.items[this.active]);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.view.clientHeight / this.heights[1]) - 1);
    const steps = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active < 0 ? 0 : this.active - 1,
      PageDown: Math.max(0, this.active) + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.items.length - 1,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.select(steps[event.key]);
  }
}
