// A list of any length of which only the rows in view are in the document. The details of the active item are below its row.

const MARGIN = 6;

export class List {
  /**
   * @param grid has the focus, and names the active row to screen readers
   * @param view scrolls
   * @param space inside it, as high as all rows
   * @param details of the active item, inside the space
   * @param height takes an item and whether it is active, and answers the pixels of its row
   * @param fill writes an item into an element of a row
   * @param chosen takes the item that became active, or nothing, and writes its details
   */
  constructor(parts) {
    Object.assign(this, parts);
    const { grid, view } = parts;
    this.items = [];
    this.tops = [0];
    this.active = -1;
    this.shown = new Map();
    this.free = [];
    this.queued = false;
    view.addEventListener('scroll', () => this.later());
    new ResizeObserver(() => this.later()).observe(view);
    grid.addEventListener('keydown', event => this.key(event));
    view.addEventListener('click', event => {
      const row = event.target.closest('[role=row]');
      if (!row || event.target.closest('a')) return;
      const index = Number(row.dataset.index);
      this.select(index === this.active ? -1 : index);
    });
  }

  /** Makes rows in another way; the next show fills them. */
  reset(row) {
    this.row = row;
    this.shown.clear();
    this.free = [];
    this.space.replaceChildren(this.details);
  }

  /** Shows these items; the active one stays active as long as it is there. */
  show(items) {
    const before = this.items[this.active];
    this.items = items;
    this.active = before ? items.findIndex(item => item.name === before.name) : -1;
    this.grid.setAttribute('aria-rowcount', items.length + 1);
    this.chosen(items[this.active]);
    this.place();
  }

  /** Finds the place of every row anew. */
  place() {
    const { items, active } = this;
    this.tops = new Float64Array(items.length + 1);
    for (let i = 0; i < items.length; i++) {
      const below = i === active ? this.details.offsetHeight : 0;
      this.tops[i + 1] = this.tops[i] + this.height(items[i], i === active) + below;
    }
    if (active >= 0) this.details.style.transform = `translateY(${this.tops[active] + this.height(items[active], true)}px)`;
    this.space.style.height = this.tops[items.length] + 'px';
    this.draw(true);
  }

  /** The index of the row at this height. */
  at(y) {
    let from = 0;
    let to = Math.max(0, this.items.length - 1);
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (this.tops[middle] <= y) from = middle;
      else to = middle - 1;
    }
    return from;
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
        this.free.push(row);
      }
    }
    for (let i = from; i < to; i++) {
      let row = this.shown.get(i);
      if (row && !anew) continue;
      if (!row) {
        row = this.free.pop() || this.row();
        this.shown.set(i, row);
        row.dataset.index = i;
        row.id = 'row-' + i;
        row.setAttribute('aria-rowindex', i + 2);
        this.space.append(row);
      }
      row.style.transform = `translateY(${this.tops[i]}px)`;
      row.style.height = this.height(this.items[i], i === this.active) + 'px';
      this.fill(row, this.items[i], i === this.active);
    }
    this.mark();
  }

  mark() {
    for (const [index, row] of this.shown) {
      row.setAttribute('aria-selected', index === this.active);
      if (index === this.active) row.setAttribute('aria-describedby', this.details.id);
      else row.removeAttribute('aria-describedby');
    }
    if (this.shown.has(this.active)) this.grid.setAttribute('aria-activedescendant', 'row-' + this.active);
    else this.grid.removeAttribute('aria-activedescendant');
  }

  /** Makes this one active, or none with -1. */
  select(index) {
    if (!this.items.length) return;
    this.active = Math.min(this.items.length - 1, index);
    this.chosen(this.items[this.active]);
    this.place();
    if (this.active < 0) return;
    const { view } = this;
    view.scrollTop = Math.min(this.tops[this.active], Math.max(view.scrollTop, this.tops[this.active + 1] - view.clientHeight));
    this.draw(false);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.view.clientHeight / this.height(this.items[0] || {}, true)) - 1);
    const steps = {
      ArrowDown: this.active + 1,
      ArrowUp: Math.max(0, this.active - 1),
      PageDown: Math.max(0, this.active) + page,
      PageUp: Math.max(0, this.active - page),
      Home: 0,
      End: this.items.length - 1,
      Escape: -1,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.select(steps[event.key]);
  }
}
