// Names of models as the engine knows them: one without a tag is the one tagged "latest".

const tagged = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);

export const sameModel = (a: string, b: string): boolean => tagged(a) === tagged(b);
