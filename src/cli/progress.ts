/** Shows that something long is going on: in place on a terminal, else as one line. */
import type { Printer } from './printer.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const CLEAR = '\r\u001b[2K';

/** Shows what goes on until the work is done. @param what a text, or what gives the text of the moment. */
export async function withProgress<T>(
  printer: Printer,
  what: string | (() => string),
  work: () => Promise<T>,
): Promise<T> {
  const { animate, style } = printer;
  const current = typeof what === 'string' ? () => what : what;
  if (animate === undefined) {
    printer.note(`${current()} …`);
    return work();
  }
  const start = performance.now();
  let frame = 0;
  const draw = (): void => {
    const seconds = Math.floor((performance.now() - start) / 1000);
    const time = seconds > 0 ? style.dim(` ${seconds} s`) : '';
    frame = (frame + 1) % FRAMES.length;
    animate(`${CLEAR}${style.cyan(FRAMES[frame] ?? '')} ${current()}${time}`);
  };
  const timer = setInterval(draw, 100);
  draw();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    animate(CLEAR);
  }
}
