import type { Child } from 'hono/jsx';
import { SandboxField } from '../search/box.tsx';
import { Hint } from './act.tsx';
import type { PageCall, PageContext } from './page-context.ts';

/**
 * A form whose fields become the body of a call to the control API, and show their own mistakes. It needs the script,
 * and is hidden without it.
 */
export const CallForm = (p: {
  call: PageCall;
  then?: string;
  label: string;
  /** The member that must have a value besides `when`, or the call is refused. */
  needs?: string;
  children: Child;
}) => {
  const { method, url, body } = p.call;
  return (
    <form
      class="js"
      data-method={method}
      data-url={url}
      data-body={body === undefined ? undefined : JSON.stringify(body)}
      data-then={p.then}
      data-needs={p.needs}
      aria-label={p.label}
      novalidate
    >
      <div class="form">{p.children}</div>
      <Hint call={{ ...p.call, body: body ?? {} }} />
    </form>
  );
};

/** The button that sends a form. */
export const Submit = (p: { label: string; main?: boolean; small?: boolean }) => (
  <button type="submit" class={`button${p.main ? ' main' : ''}${p.small ? ' small' : ''}`}>
    {p.label}
  </button>
);

interface FieldParts {
  label: string;
  name: string;
  value?: string | undefined;
  placeholder?: string;
  type?: 'number' | 'url';
  /** The meaning of an empty field, as JSON; without it, an empty field is left out. */
  empty?: string;
  grow?: boolean;
  /** True for a field on a line of its own. */
  wide?: boolean;
  required?: boolean;
  pattern?: string;
  min?: number;
  max?: number;
  step?: string;
  size?: number;
  list?: string;
}

export const Field = (p: FieldParts) => (
  <label class={p.wide ? 'field wide' : p.grow ? 'field grow' : 'field'}>
    <span>{p.label}</span>
    <input
      name={p.name}
      type={p.type ?? 'text'}
      value={p.value}
      placeholder={p.placeholder}
      data-as={p.type === 'number' ? 'number' : undefined}
      data-empty={p.empty}
      required={p.required}
      pattern={p.pattern}
      min={p.min}
      max={p.max}
      step={p.step}
      size={p.size}
      list={p.list}
      autocomplete="off"
      spellcheck={false}
    />
  </label>
);

/** Values with which a press fills a form, by the names of its fields. */
export interface Preset {
  readonly label: string;
  readonly fills: Readonly<Record<string, string | true>>;
}

/** Buttons that fill the form around them; they empty every other field, except for the match of a fault. */
export const Presets = ({ of }: { of: readonly Preset[] }) => (
  <fieldset class="presets" aria-label="Fill in">
    {of.map(({ label, fills }) => (
      <button type="button" class="button small" data-preset={JSON.stringify(fills)}>
        {label}
      </button>
    ))}
  </fieldset>
);

export const Pick = (p: {
  label: string;
  name: string;
  options: readonly (readonly [value: string, label: string])[];
  shows?: boolean;
  value?: string;
}) => (
  <label class="field">
    <span>{p.label}</span>
    <select name={p.name} data-shows={p.shows ? '' : undefined}>
      {p.options.map(([value, label]) => (
        <option value={value} selected={value === p.value}>
          {label}
        </option>
      ))}
    </select>
  </label>
);

export const Check = (p: { label: string; name: string }) => (
  <label class="check">
    <input type="checkbox" name={p.name} />
    <span>{p.label}</span>
  </label>
);

/** A filter of a list; without the script it is a form like any other. */
export const Filter = (p: {
  visit: PageContext;
  path: string;
  /** The part of the page that it narrows. */
  narrows: string;
  label: string;
  placeholder: string;
  children?: Child;
}) => (
  <search aria-label={p.label}>
    <form class="filter" method="get" action={p.path} data-filter={p.narrows}>
      <SandboxField visit={p.visit} />
      <label class="search">
        <span class="visually-hidden">{p.label}</span>
        <input
          type="search"
          name="q"
          value={p.visit.query('q')}
          placeholder={p.placeholder}
          data-narrow
          autocomplete="off"
          spellcheck={false}
        />
        <kbd class="js">f</kbd>
      </label>
      {p.children}
      <noscript>
        <Submit label="Filter" />
      </noscript>
    </form>
  </search>
);

/** One choice of a filter. */
export const Choice = (p: {
  name: string;
  label: string;
  any: string;
  options: readonly (string | readonly [value: string, words: string])[];
  value: string | undefined;
}) => (
  <select name={p.name} aria-label={p.label}>
    <option value="">{p.any}</option>
    {p.options.map((option) => {
      const [value, words] = typeof option === 'string' ? [option, option] : option;
      return (
        <option value={value} selected={value === p.value}>
          {words}
        </option>
      );
    })}
  </select>
);
